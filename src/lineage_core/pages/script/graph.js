// Draws a lineage graph from left to right. Dagre says where things stand; texts are set as texts, never as markup.
import { Graph, layout } from "@dagrejs/dagre";
import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 200;
const HEIGHT = 42;
const BESIDE_TEXT = 28;
const HIGHEST = 520;
const STALE_DAYS = 30;

export function drawGraph(figure, { nodes, edges, difference, root, at }) {
  const all = withChanges(nodes, edges, difference);
  if (all.nodes.size < 2) return;
  const placed = place(all);
  figure.hidden = false;
  const svg = figure.appendChild(element("svg", { role: "group", "aria-label": "Drawing of the lineage graph" }));
  svg.append(arrowHead());
  const picture = svg.appendChild(element("g"));
  for (const edge of all.edges) picture.append(edgePath(placed, edge, Date.parse(at)));
  const drawn = new Map();
  for (const node of all.nodes.values()) {
    const one = nodeElement(figure, placed.node(node.id), node, isRoot(node, root));
    drawn.set(node, one);
    picture.append(one);
  }
  const view = zoomable(figure, svg, picture, placed.graph());
  figure.append(tools(view, drawn), legend(difference));
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

function place({ nodes, edges }) {
  const graph = new Graph({ multigraph: true });
  // The network simplex of many nodes takes seconds; the longest path is a little wider, and takes none.
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 40, ranker: nodes.size > 400 ? "longest-path" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of nodes.keys()) graph.setNode(id, { width: WIDTH, height: HEIGHT });
  for (const edge of edges) graph.setEdge(edge.from, edge.to, {}, keyOf(edge));
  layout(graph);
  return graph;
}

function edgePath(placed, edge, moment) {
  const points = placed.edge(edge.from, edge.to, keyOf(edge)).points;
  const [first, ...others] = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`);
  const path = element("path", { d: `M${first}L${others.join("L")}`, "marker-end": "url(#head)" });
  path.classList.add("edge");
  if (edge.change) path.classList.add(edge.change);
  if (isStale(edge, moment)) path.classList.add("stale");
  path.append(title(`${edge.kind} since ${edge.since}${edge.until ? `, until ${edge.until}` : ""}; ${edge.runs} runs, last seen ${edge.last_seen ?? "never"}`));
  return path;
}

function isStale(edge, moment) {
  return edge.last_seen !== null && moment - Date.parse(edge.last_seen) > STALE_DAYS * 86_400_000;
}

function nodeElement(figure, { x, y }, node, root) {
  const link = element("a", { href: addressOf(figure, node), transform: `translate(${x - WIDTH / 2},${y - HEIGHT / 2})` });
  link.classList.add("node", node.kind);
  if (root) link.classList.add("root");
  const box = element("rect", { width: WIDTH, height: HEIGHT, rx: node.kind === "job" ? 20 : 5 });
  link.append(box, text(node.column ?? node.name, 18, 13, null), text(node.column ? node.name : node.namespace, 33, 11, "under"));
  link.append(title(`${node.kind} ${node.namespace} ${node.name}${node.column ? ` ${node.column}` : ""}`));
  return link;
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
  pen.font = `${size}px system-ui, sans-serif`;
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

function zoomable(figure, svg, picture, size) {
  const chosen = select(svg);
  const behaviour = zoom().scaleExtent([0.05, 3]).on("zoom", ({ transform }) => picture.setAttribute("transform", transform.toString()));
  chosen.call(behaviour);
  const fit = () => {
    const { width } = svg.getBoundingClientRect();
    // As high as the picture, with room for the tools above it and the legend below.
    const wide = Math.min(1, (width - 40) / size.width);
    const height = Math.min(HIGHEST, size.height * wide + 120);
    figure.style.height = `${height}px`;
    const scale = Math.min(wide, (height - 100) / size.height);
    const x = (width - size.width * scale) / 2;
    const y = (height - size.height * scale) / 2;
    chosen.call(behaviour.transform, zoomIdentity.translate(x, y).scale(scale));
  };
  fit();
  return { fit, by: (factor) => chosen.call(behaviour.scaleBy, factor) };
}

function tools(view, drawn) {
  const bar = document.createElement("div");
  bar.className = "tools";
  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Find in the graph";
  search.setAttribute("aria-label", "Find in the graph");
  search.addEventListener("input", () => {
    const sought = search.value.toLowerCase();
    for (const [node, one] of drawn) {
      one.classList.toggle("found", sought !== "" && `${node.name} ${node.column ?? ""}`.toLowerCase().includes(sought));
    }
  });
  bar.append(search, button("+", "Closer", () => view.by(1.4)), button("−", "Farther", () => view.by(1 / 1.4)), button("Fit", "Show all", view.fit));
  return bar;
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
  const changes = difference ? " Green edges came, red ones went." : "";
  made.textContent = `Round: jobs. Square: datasets. Dashed: not seen for ${STALE_DAYS} days.${changes}`;
  return made;
}

function arrowHead() {
  const marker = element("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
  const shape = element("path", { d: "M0,0L8,4L0,8z" });
  shape.classList.add("head");
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
