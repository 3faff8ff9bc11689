// Draws a lineage graph from left to right; texts are set as texts, never as markup.
import { Graph, layout } from "@dagrejs/dagre";
import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
import { GROUPINGS, grouped, groupingFor } from "./grouping.js";
import { inLayers } from "./layers.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 200;
const HEIGHT = 42;
const BESIDE_TEXT = 28;
// Characters, however wide they are.
const SURELY_FITS = 12;
const STALE_DAYS = 30;
// Up to so many nodes Dagre takes less than a second.
const FOR_DAGRE = 250;
// Below this scale no text can be read: it is not drawn, and what is shown first is not the whole.
const READABLE = 0.35;

export function drawGraph(figure, { nodes, edges, difference, root, at, parents }) {
  const all = withChanges(nodes, edges, difference);
  if (all.nodes.size < 2) return;
  figure.hidden = false;
  const asked = new URLSearchParams(location.search);
  const rootId = [...all.nodes.values()].find((node) => isRoot(node, root))?.id ?? null;
  const drawing = new Drawing(figure, all, { at: Date.parse(at), difference, parents, rootId });
  drawing.show(asked.get("group") ?? "", new Set(asked.getAll("open")));
}

function withChanges(nodes, edges, difference) {
  const came = new Set((difference?.came ?? []).map(keyOf));
  const shown = edges.map((edge) => ({ ...edge, change: came.has(keyOf(edge)) ? "came" : null }));
  const went = (difference?.went ?? []).map((edge) => ({ ...edge, change: "went" }));
  const byId = new Map([...nodes, ...(difference?.nodes ?? [])].map((node) => [node.id, node]));
  const known = [...shown, ...went].filter((edge) => byId.has(edge.from) && byId.has(edge.to));
  return { nodes: byId, edges: known };
}

function keyOf(edge) {
  return JSON.stringify([edge.from, edge.to, edge.kind]);
}

function isRoot(node, root) {
  const names = ["kind", "namespace", "name"].every((part) => node[part] === root[part]);
  return names && (node.column ?? null) === (root.column ?? null);
}

class Drawing {
  constructor(figure, all, given) {
    Object.assign(this, given, { figure, all });
  }

  // grouping: "" leaves it to the number of nodes. open: the keys of the groups that are open. focused: the node that the keyboard is at.
  show(grouping, open, focused = null) {
    this.figure.querySelectorAll("svg, .tools, .legend, .open-groups").forEach((one) => one.remove());
    this.grouping = grouping;
    this.open = open;
    const chosen = grouping || groupingFor(this.all, this.parents, this.rootId);
    this.shown = grouped(this.all, chosen, open, this.parents, this.rootId);
    this.figure.append(this.tools());
    if (open.size) this.figure.append(this.openGroups());
    this.svg = this.figure.appendChild(element("svg", { role: "group", "aria-label": "Drawing of the lineage graph" }));
    // All that stands in the figure, before the room that is left for the drawing is measured.
    this.figure.append(legend(this.difference));
    this.svg.append(...["", "came", "went"].map(arrowHead));
    const picture = this.svg.appendChild(element("g"));
    const placed = place(this.shown);
    this.places = placed.places;
    for (const edge of this.shown.edges) picture.append(edgePath(placed, edge, this.at));
    this.drawn = new Map();
    for (const node of this.shown.nodes.values()) {
      const one = this.nodeElement(node);
      this.drawn.set(node.id, one);
      picture.append(one);
    }
    this.view = zoomable(this.svg, picture, placed.size, this.places.get(this.rootId));
    this.first = focused ?? this.rootId ?? this.drawn.keys().next().value;
    this.drawn.get(this.first)?.setAttribute("tabindex", "0");
    this.svg.addEventListener("keydown", (event) => this.step(event));
    if (focused) this.drawn.get(focused)?.focus({ preventScroll: true });
  }

  nodeElement(node) {
    const { x, y } = this.places.get(node.id);
    const link = element("a", { transform: `translate(${(x - WIDTH / 2).toFixed(1)},${(y - HEIGHT / 2).toFixed(1)})`, tabindex: -1 });
    link.classList.add("node", node.kind);
    if (node.id === this.rootId) link.classList.add("root");
    if (node.kind === "group") {
      link.setAttribute("role", "button");
      link.setAttribute("aria-label", `Open the group ${visible(node.name)}: ${node.namespace}`);
      link.append(element("rect", { x: 4, y: 4, width: WIDTH, height: HEIGHT, rx: 5 }));
      const act = () => this.change(this.grouping, new Set([...this.open, node.key]), node.inside[0].id);
      link.addEventListener("click", act);
      link.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        act();
      });
    } else link.setAttribute("href", addressOf(this.figure, node));
    link.append(element("rect", { width: WIDTH, height: HEIGHT, rx: node.kind === "job" ? 20 : 5 }));
    link.append(text(node.column ?? node.name, 18, 13, null), text(node.column ? node.name : node.namespace, 33, 11, "under"));
    link.append(title(node.kind === "group" ? `${node.name}: ${node.namespace}` : `${node.kind} ${node.namespace} ${node.name}${node.column ? ` ${node.column}` : ""}`));
    return link;
  }

  // What is shown stands in the address.
  change(grouping, open, focused = null) {
    const address = new URL(location.href);
    address.searchParams.delete("open");
    for (const key of open) address.searchParams.append("open", key);
    if (grouping) address.searchParams.set("group", grouping);
    else address.searchParams.delete("group");
    history.replaceState(null, "", address);
    keepInLinks(address);
    this.show(grouping, open, focused);
  }

  // Right and left follow the edges; up and down go to what stands next in the same layer.
  step(event) {
    const here = [...this.drawn].find(([, one]) => one === document.activeElement)?.[0];
    const ways = { ArrowRight: ["from", "to"], ArrowLeft: ["to", "from"], ArrowUp: -1, ArrowDown: 1 };
    const way = ways[event.key];
    if (here === undefined || way === undefined) return;
    event.preventDefault();
    const next = Array.isArray(way) ? this.along(here, ...way) : this.beside(here, way);
    if (next !== undefined) this.goTo(next);
  }

  along(here, near, far) {
    const others = this.shown.edges.filter((edge) => edge[near] === here).map((edge) => edge[far]);
    return this.nearest(here, others);
  }

  beside(here, way) {
    const { x, y } = this.places.get(here);
    const others = [...this.places].filter(([id, place]) => id !== here && Math.abs(place.x - x) < WIDTH / 2 && (place.y - y) * way > 0);
    return this.nearest(here, others.map(([id]) => id));
  }

  nearest(here, ids) {
    const { y } = this.places.get(here);
    return ids.sort((one, other) => Math.abs(this.places.get(one).y - y) - Math.abs(this.places.get(other).y - y))[0];
  }

  goTo(id) {
    this.drawn.get(this.first)?.setAttribute("tabindex", "-1");
    this.first = id;
    const one = this.drawn.get(id);
    one.setAttribute("tabindex", "0");
    this.view.to(this.places.get(id));
    one.focus({ preventScroll: true });
  }

  tools() {
    const bar = document.createElement("div");
    bar.className = "tools";
    bar.append(this.finder(), this.groupings(), button("+", "Closer", () => this.view.by(1.4)), button("−", "Farther", () => this.view.by(1 / 1.4)), button("Fit", "Fit: show all", () => this.view.fit()));
    return bar;
  }

  // Marks what has the text in its name, what is in a group too; Enter goes from one to the next.
  finder() {
    const room = document.createElement("span");
    const search = room.appendChild(document.createElement("input"));
    const number = room.appendChild(document.createElement("span"));
    number.className = "found-number";
    number.setAttribute("role", "status");
    search.type = "search";
    search.placeholder = "Find in the graph";
    search.setAttribute("aria-label", "Find in the graph");
    let found = [];
    let at = -1;
    search.addEventListener("input", () => {
      const sought = search.value.toLowerCase();
      found = [];
      at = -1;
      for (const [id, one] of this.drawn) {
        const node = this.shown.nodes.get(id);
        const has = sought !== "" && (node.inside ?? [node]).some((each) => `${each.name} ${each.column ?? ""}`.toLowerCase().includes(sought));
        one.classList.toggle("found", has);
        if (has) found.push(id);
      }
      number.textContent = sought ? `${found.length} found` : "";
    });
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !found.length) return;
      event.preventDefault();
      at = (at + 1) % found.length;
      this.view.to(this.places.get(found[at]));
      number.textContent = `${at + 1} of ${found.length}`;
    });
    return room;
  }

  groupings() {
    const choice = document.createElement("select");
    choice.setAttribute("aria-label", "Groups");
    for (const [value, label] of GROUPINGS) {
      const option = choice.appendChild(document.createElement("option"));
      option.value = value;
      option.textContent = label;
      option.selected = value === this.grouping;
    }
    choice.addEventListener("change", () => {
      this.change(choice.value, new Set());
      this.figure.querySelector(".tools select").focus();
    });
    return choice;
  }

  openGroups() {
    const bar = document.createElement("div");
    bar.className = "open-groups";
    for (const key of this.open) {
      const others = new Set([...this.open].filter((one) => one !== key));
      bar.append(button(`${visible(key)} ×`, `Close the group ${visible(key)}`, () => this.change(this.grouping, others)));
    }
    return bar;
  }
}

// What leads to the same graph at another moment shows the same groups there.
function keepInLinks(address) {
  const shown = [...address.searchParams].filter(([name]) => name === "group" || name === "open");
  for (const link of document.querySelectorAll("a[data-again]")) {
    const to = new URL(link.href);
    for (const name of ["group", "open"]) to.searchParams.delete(name);
    for (const [name, value] of shown) to.searchParams.append(name, value);
    link.href = to;
  }
  const form = document.getElementById("history");
  form.querySelectorAll("input[name=group], input[name=open]").forEach((one) => one.remove());
  for (const [name, value] of shown) {
    const kept = form.appendChild(document.createElement("input"));
    Object.assign(kept, { type: "hidden", name, value });
  }
}

function place(graph) {
  if (graph.nodes.size > FOR_DAGRE) return inLayers(graph, { width: WIDTH, height: HEIGHT, gap: 14, between: 90 });
  const placed = new Graph({ multigraph: true });
  placed.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 40 });
  placed.setDefaultEdgeLabel(() => ({}));
  for (const id of graph.nodes.keys()) placed.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const edge of graph.edges) placed.setEdge(edge.from, edge.to, {}, keyOf(edge));
  layout(placed);
  const places = new Map([...graph.nodes.keys()].map((id) => [id, placed.node(id)]));
  return { places, size: placed.graph(), pointsOf: (edge) => placed.edge(edge.from, edge.to, keyOf(edge)).points };
}

function edgePath({ places, pointsOf }, edge, moment) {
  const path = element("path", { d: way(places.get(edge.from), places.get(edge.to), pointsOf?.(edge) ?? []) });
  path.setAttribute("marker-end", `url(#head${["came", "went"].includes(edge.change) ? `-${edge.change}` : ""})`);
  path.classList.add("edge");
  if (edge.change) path.classList.add(edge.change);
  const alike = edge.alike ?? [edge];
  if (alike.every((one) => isStale(one, moment))) path.classList.add("stale");
  path.append(title(alike.length > 1 ? manyEdges(alike) : oneEdge(edge)));
  return path;
}

// From the right side of one node to the left side of the other, past the corners that keep it off those between. What leads back, in a
// circle, goes as Dagre has it.
function way(from, to, corners) {
  const isBack = to.x <= from.x && corners.length > 0;
  const inner = isBack ? corners.slice(1, -1) : corners.slice(2, -2);
  const first = isBack ? corners[0] : { x: from.x + WIDTH / 2, y: from.y };
  const last = isBack ? corners.at(-1) : { x: to.x - WIDTH / 2, y: to.y };
  let path = `M${at(first.x, first.y)}`;
  let before = first;
  for (const next of [...inner, last]) {
    const middle = (before.x + next.x) / 2;
    path += isBack ? `L${at(next.x, next.y)}` : `C${at(middle, before.y)} ${at(middle, next.y)} ${at(next.x, next.y)}`;
    before = next;
  }
  return path;
}

function at(x, y) {
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

function oneEdge(edge) {
  return `${edge.kind} since ${edge.since}${edge.until ? `, until ${edge.until}` : ""}; ${edge.runs} runs, last seen ${edge.last_seen ?? "never"}`;
}

function manyEdges(alike) {
  const changed = ["came", "went"].map((change) => [change, alike.filter((edge) => edge.change === change).length]);
  return [`${alike.length} edges`, ...changed.filter(([, number]) => number).map(([change, number]) => `${number} ${change}`)].join(", ");
}

function isStale(edge, moment) {
  return edge.last_seen !== null && moment - Date.parse(edge.last_seen) > STALE_DAYS * 86_400_000;
}

function addressOf(figure, node) {
  const address = node.column ? figure.dataset.graph : figure.dataset[node.kind === "job" ? "job" : "dataset"];
  const asked = new URLSearchParams({ namespace: node.namespace, name: node.name });
  if (node.column) {
    asked.set("kind", "column");
    asked.set("column", node.column);
  }
  return `${address}?${asked}`;
}

function text(content, y, size, kind) {
  const made = element("text", { x: BESIDE_TEXT / 2, y });
  if (kind) made.classList.add(kind);
  made.textContent = fitting(visible(content), size);
  return made;
}

const pen = document.createElement("canvas").getContext("2d");

// The end of a long name tells it from others more often than its beginning does. No more of it than that is measured.
function fitting(content, size) {
  if (content.length <= SURELY_FITS) return content;
  const font = `${size}px system-ui, sans-serif`;
  if (pen.font !== font) pen.font = font;
  const fits = (shown) => pen.measureText(shown).width <= WIDTH - BESIDE_TEXT;
  const characters = [...content];
  if (characters.length <= WIDTH && fits(content)) return content;
  let end = characters.slice(-WIDTH);
  while (end.length > 1 && !fits(`…${end.join("")}`)) end = end.slice(1);
  return `…${end.join("")}`;
}

// As the pages write names: characters that turn or hide others come as escapes.
function visible(content) {
  return content.replace(/\p{C}/gu, (character) => `\\u${character.codePointAt(0).toString(16).padStart(4, "0")}`);
}

function zoomable(svg, picture, size, root) {
  const chosen = select(svg);
  const behaviour = zoom().scaleExtent([0.02, 3]).on("zoom", ({ transform }) => {
    picture.setAttribute("transform", transform.toString());
    svg.classList.toggle("far", transform.k < READABLE);
  });
  chosen.call(behaviour);
  // The page has kept this room since it was loaded, so that nothing below moves.
  const { width, height } = svg.getBoundingClientRect();
  const scale = Math.min(1, (width - 40) / size.width, (height - 30) / size.height);
  const show = (transform) => chosen.call(behaviour.transform, transform);
  const fit = () => show(zoomIdentity.translate((width - size.width * scale) / 2, (height - size.height * scale) / 2).scale(scale));
  const to = ({ x, y }, k) => show(zoomIdentity.translate(width / 2 - x * k, height / 2 - y * k).scale(k));
  if (scale >= READABLE || root === undefined) fit();
  else to(root, 0.7);
  return {
    fit,
    by: (factor) => chosen.call(behaviour.scaleBy, factor),
    // Where it stands already stays, as long as it can be read and seen.
    to: (place) => {
      const now = zoomTransform(svg);
      const [x, y] = now.apply([place.x, place.y]);
      const isSeen = now.k >= READABLE && x > 110 && x < width - 110 && y > 40 && y < height - 40;
      if (!isSeen) to(place, Math.max(now.k, 0.7));
    },
  };
}

function button(label, what, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.title = what;
  made.setAttribute("aria-label", what);
  made.addEventListener("click", act);
  return made;
}

function legend(difference) {
  const made = document.createElement("p");
  made.className = "legend";
  made.textContent = `Round: jobs. Square: datasets. Dashed: not seen for ${STALE_DAYS} days.`;
  if (difference) made.append(" ", swatch("came"), " came, ", swatch("went"), " went.");
  return made;
}

function swatch(change) {
  const made = document.createElement("span");
  made.className = `swatch ${change}`;
  return made;
}

function arrowHead(change) {
  const marker = element("marker", { id: change ? `head-${change}` : "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" });
  const shape = element("path", { d: "M0,0L8,4L0,8z" });
  shape.classList.add("head");
  if (change) shape.classList.add(change);
  marker.append(shape);
  return marker;
}

function title(content) {
  const made = element("title");
  made.textContent = content;
  return made;
}

function element(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
