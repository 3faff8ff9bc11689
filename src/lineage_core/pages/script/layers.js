// Where the nodes of a large graph stand: in layers from left to right, each ordered by what its nodes are joined to. Dagre would take
// minutes for what this places in the blink of an eye, and says more of a graph that is small enough to follow an edge by eye.
const SWEEPS = 6;

export function inLayers({ nodes, edges }, { width, height, gap, between }) {
  const layers = ordered(layersOf(nodes, edges), edges);
  const places = new Map();
  let x = 0;
  let highest = 0;
  // A layer of very many becomes a block of several columns, so that the whole is no tower.
  const rows = Math.max(12, Math.ceil(Math.sqrt(nodes.size * (width / height) * 0.6)));
  for (const layer of layers) {
    const columns = Math.ceil(layer.length / rows);
    const inColumn = Math.ceil(layer.length / columns);
    layer.forEach((id, index) => {
      const column = Math.floor(index / inColumn);
      const row = index % inColumn;
      places.set(id, { x: x + column * (width + gap) + width / 2, y: row * (height + gap) + height / 2 });
    });
    x += columns * (width + gap) - gap + between;
    highest = Math.max(highest, inColumn * (height + gap) - gap);
  }
  return { places, size: { width: Math.max(x - between, width), height: highest } };
}

// By the longest way from a node without a source; an edge that closes a circle counts for nothing.
function layersOf(nodes, edges) {
  const sources = new Map([...nodes.keys()].map((id) => [id, 0]));
  const after = new Map([...nodes.keys()].map((id) => [id, []]));
  for (const { from, to } of edges) {
    after.get(from).push(to);
    sources.set(to, sources.get(to) + 1);
  }
  const layer = new Map();
  const left = new Set(nodes.keys());
  let ready = [...left].filter((id) => sources.get(id) === 0);
  while (left.size) {
    if (!ready.length) ready = [left.values().next().value];
    const next = [];
    for (const id of ready) {
      if (!left.delete(id)) continue;
      layer.set(id, layer.get(id) ?? 0);
      for (const to of after.get(id)) {
        if (!left.has(to)) continue;
        layer.set(to, Math.max(layer.get(to) ?? 0, layer.get(id) + 1));
        sources.set(to, sources.get(to) - 1);
        if (sources.get(to) === 0) next.push(to);
      }
    }
    ready = next;
  }
  const layers = [];
  for (const [id, number] of layer) (layers[number] ??= []).push(id);
  return layers.filter((one) => one !== undefined);
}

function ordered(layers, edges) {
  const joined = new Map(layers.flat().map((id) => [id, []]));
  for (const { from, to } of edges) {
    joined.get(from).push(to);
    joined.get(to).push(from);
  }
  const place = new Map();
  const number = (layer) => layer.forEach((id, index) => place.set(id, index / layer.length));
  layers.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      const wanted = new Map(layer.map((id) => [id, middle(joined.get(id), place) ?? place.get(id)]));
      layer.sort((one, other) => wanted.get(one) - wanted.get(other));
      number(layer);
    }
  }
  return layers;
}

function middle(ids, place) {
  return ids.length ? ids.reduce((sum, id) => sum + place.get(id), 0) / ids.length : null;
}
