// Nodes that are too many to look at become groups: of a namespace, of the job that started others (a DAG of Airflow, an
// application of Spark), or, of columns, of their dataset. A group that is open shows what is in it.
export const MANY = 1_000;

export const GROUPINGS = [
  ["", "Groups if it is much"],
  ["none", "No groups"],
  ["namespace", "By namespace"],
  ["parent", "By DAG or parent job"],
  ["dataset", "Columns by dataset"],
];

const KEYS_OF = {
  namespace: () => (node) => node.namespace,
  dataset: () => (node) => (node.column === null ? null : node.name),
  parent: ({ edges }, parents) => {
    const writers = new Map();
    for (const { from, to, kind } of edges) {
      if (kind !== "writes") continue;
      if (!writers.has(to)) writers.set(to, new Set());
      writers.get(to).add(parents[from] ?? null);
    }
    // What the jobs of one parent alone write is in its group, too.
    return (node) => parents[node.id] ?? (writers.get(node.id)?.size === 1 ? [...writers.get(node.id)][0] : null);
  },
};

// Fewer nodes than these say nothing.
const FEW = 4;

// How it is grouped if the reader leaves that open: as little as brings it below what one can look at.
export function groupingFor(all, parents, rootId) {
  if (all.nodes.size <= MANY) return "none";
  const isEnough = (grouping) => {
    const { size } = grouped(all, grouping, new Set(), parents, rootId).nodes;
    return size >= FEW && size <= MANY;
  };
  return ["dataset", "parent", "namespace"].find(isEnough) ?? "none";
}

// The same graph with a node for each group that is closed. What is between two groups is one edge, with how many it stands for.
export function grouped(all, grouping, open, parents, rootId) {
  if (!(grouping in KEYS_OF)) return all;
  const keyOf = KEYS_OF[grouping](all, parents);
  const members = new Map();
  for (const node of all.nodes.values()) {
    const key = node.id === rootId ? null : keyOf(node);
    if (key === null || open.has(key)) continue;
    if (!members.has(key)) members.set(key, []);
    members.get(key).push(node);
  }
  const groupOf = new Map();
  const nodes = new Map();
  for (const [key, inside] of members) {
    if (inside.length < 2) continue;
    const id = `group ${key}`;
    nodes.set(id, { id, kind: "group", name: key, namespace: sizeText(inside), column: null, key, inside });
    for (const node of inside) groupOf.set(node.id, id);
  }
  for (const node of all.nodes.values()) if (!groupOf.has(node.id)) nodes.set(node.id, node);
  return { nodes, edges: between(all.edges, groupOf) };
}

function sizeText(inside) {
  const kinds = ["dataset", "job", "column"].map((kind) => [kind, inside.filter((node) => node.kind === kind).length]);
  return kinds.filter(([, number]) => number).map(([kind, number]) => `${number} ${kind}${number > 1 ? "s" : ""}`).join(", ");
}

function between(edges, groupOf) {
  const joined = new Map();
  for (const edge of edges) {
    const from = groupOf.get(edge.from) ?? edge.from;
    const to = groupOf.get(edge.to) ?? edge.to;
    if (from === to && from !== edge.from) continue;
    const isOfGroup = from !== edge.from || to !== edge.to;
    const key = isOfGroup ? `${from}\n${to}` : `${from}\n${to}\n${edge.kind}`;
    const known = joined.get(key);
    if (known) known.alike.push(edge);
    else joined.set(key, { ...edge, from, to, kind: isOfGroup ? "group" : edge.kind, alike: [edge] });
  }
  return [...joined.values()].map((edge) => ({ ...edge, change: changeOf(edge.alike) }));
}

function changeOf(edges) {
  const changes = new Set(edges.map((edge) => edge.change));
  return changes.size === 1 ? edges[0].change : "mixed";
}
