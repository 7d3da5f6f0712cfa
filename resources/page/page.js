'use strict';

/** The nodes that a query names: every word must occur in one of the node's texts, whatever its case. */
function findNodes(nodes, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const textOf = (node) => ['name', 'op', 'type', 'label', 'module', 'source'].map((key) => node[key] || '').join('\n').toLowerCase();
  return nodes.filter((node) => {
    const text = textOf(node);
    return words.every((word) => text.includes(word));
  });
}

/** A view {x, y, w, h} zoomed by a factor; the point (px, py) of the picture stays where it is. */
function zoomed(view, factor, px, py) {
  return { x: px - (px - view.x) / factor, y: py - (py - view.y) / factor, w: view.w / factor, h: view.h / factor };
}

/** What is drawn of a picture: the page shows heading and legend, which stand above the parts, in its own way. */
function withoutHeading([x, y, w, h], parts) {
  const tops = parts.filter((part) => part.width > 0 || part.height > 0).map((part) => part.y);
  const top = Math.max(y, Math.min(...tops, y + h) - 24);
  return tops.length ? { x, y: top, w, h: y + h - top } : { x, y, w, h };
}

/** The view of a window in which letters can be read: as wide as it or the picture, and never much enlarged. */
function readable(whole, width, height) {
  const most = 1.25, w = Math.max(60, Math.min(width, Math.max(whole.w, width / most)));
  return { x: whole.x + (whole.w - w) / 2, y: whole.y, w, h: w * height / width };
}

/** Closed modules as things that can be chosen like nodes, with the nodes that are drawn in their boxes. */
function closedModules(modules, nodes) {
  return modules.map((module) => ({
    ...module, id: `module ${module.box}`, inputs: [], users: [], inside: nodes.filter((node) => node.box === module.box).map((node) => node.id),
  }));
}

/** How a person calls a node or a closed module. */
function titleOf(node) {
  return node.inside ? node.title : `%${node.name}`;
}

/** What a tooltip says of a node. */
function tipOf(node) {
  return [titleOf(node), node.op, node.type, node.label, node.module, node.source, node.fate].filter(Boolean).join('\n');
}

function start() {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('data').textContent), nodes = data.nodes;
  const modules = closedModules(data.modules, nodes);
  const moduleOf = new Map(modules.map((module) => [module.box, module]));
  const nodeOf = new Map([...nodes, ...modules].map((node) => [node.id, node]));
  const picture = byId('picture');
  const svg = picture.querySelector('svg');
  const boxes = [...svg.querySelectorAll('g.node')];
  const boxOf = (node) => boxes[node.box];
  const whatIsShown = svg.querySelector(':scope > title');
  if (whatIsShown) whatIsShown.remove();  // the heading says it
  const shownBy = new Map();  // of each box the node or the module that it stands for
  boxes.forEach((box, place) => {
    shownBy.set(box, moduleOf.get(place) || nodeOf.get(Number(box.dataset.id)));
    const title = box.querySelector('title');
    if (title) title.remove();  // the page has tooltips of its own
  });
  /** The closed module that hides a node; none if it has a box of its own. */
  const hiddenIn = (node) => (node.inside ? undefined : moduleOf.get(node.box));

  // --- the view ---
  const parts = [...svg.querySelectorAll(':scope > g')].map((part) => part.getBBox());
  const whole = withoutHeading(svg.getAttribute('viewBox').split(' ').map(Number), parts);
  let view = whole, atFirst = whole;
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.setAttribute('preserveAspectRatio', 'xMidYMid meet');
  function show(next) {
    const least = 40, most = 4 * Math.max(whole.w, whole.h);
    if (next.w < least || next.w > most) return;
    view = next;
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.w} ${view.h}`);
  }
  function pixelsPerUnit() {
    const place = svg.getBoundingClientRect();
    return Math.min(place.width / view.w, place.height / view.h);
  }
  /** The point of the picture under a point of the window. */
  function pointAt(clientX, clientY) {
    const place = svg.getBoundingClientRect(), scale = pixelsPerUnit();
    return {
      x: view.x + view.w / 2 + (clientX - place.left - place.width / 2) / scale,
      y: view.y + view.h / 2 + (clientY - place.top - place.height / 2) / scale,
    };
  }
  function zoomBy(factor) {
    show(zoomed(view, factor, view.x + view.w / 2, view.y + view.h / 2));
  }
  function fit() {
    show(whole);
  }
  /** From the top, where letters can be read. */
  function fitWidth() {
    const place = svg.getBoundingClientRect();
    show(readable(whole, place.width || whole.w, place.height || whole.w));
    atFirst = view;
  }
  function centreOn(box) {
    const at = box.getBBox();
    const w = Math.min(view.w, 1200), h = w * view.h / view.w;
    show({ x: at.x + at.width / 2 - w / 2, y: at.y + at.height / 2 - h / 2, w, h });
  }

  // --- one node ---
  let chosen = null;
  function select(id) {
    if (chosen) boxOf(chosen).classList.remove('chosen');
    chosen = nodeOf.has(id) && boxOf(nodeOf.get(id)) ? nodeOf.get(id) : null;
    byId('details').hidden = !chosen;
    if (!chosen) return;
    boxOf(chosen).classList.add('chosen');
    byId('name').textContent = titleOf(chosen);
    const list = byId('facts');
    list.replaceChildren();
    const add = (title, content) => {
      const term = document.createElement('dt'), description = document.createElement('dd');
      term.textContent = title;
      description.append(...content);
      list.append(term, description);
    };
    for (const [key, title] of [['op', 'Operation'], ['type', 'Type'], ['args', 'Arguments'], ['label', 'Name in the model'], ['module', 'Module'], ['source', 'Source'], ['autograd', 'Differentiates'], ['stage', 'Part'], ['fate', 'What is known of it']])
      if (chosen[key]) add(title, [chosen[key]]);
    if (hiddenIn(chosen)) add('In the closed module', [linkTo(hiddenIn(chosen).id)]);
    for (const [key, title] of [['inputs', 'Inputs'], ['users', 'Users'], ['inside', 'In it']])
      if (chosen[key] && chosen[key].length) add(title, chosen[key].filter((other) => nodeOf.has(other)).map(linkTo));
  }
  function linkTo(id) {
    const button = document.createElement('button');
    button.textContent = titleOf(nodeOf.get(id));
    button.addEventListener('click', () => goTo(id));
    return button;
  }
  function goTo(id) {
    select(id);
    if (chosen) centreOn(boxOf(chosen));
  }

  // --- search ---
  let hits = [], current = -1;
  function search(query) {
    for (const node of hits) boxOf(node).classList.remove('hit');
    hits = findNodes(nodes, query).filter(boxOf);
    current = -1;
    for (const node of hits) boxOf(node).classList.add('hit');
    svg.classList.toggle('searching', hits.length > 0);
    const hidden = hits.filter(hiddenIn).length;
    const found = `${hits.length} found` + (hidden ? `, ${hidden} in closed modules` : '');
    byId('count').textContent = query.trim() ? (hits.length ? found : 'nothing found') : '';
    listHits();
    return hits.length;
  }
  function listHits() {
    const most = 500, list = byId('results');
    list.hidden = !hits.length;
    list.replaceChildren(...hits.slice(0, most).map((node) => {
      const row = document.createElement('li'), place = document.createElement('span');
      place.textContent = hiddenIn(node) ? `${node.op} in ${hiddenIn(node).title}` : node.op;
      row.append(linkTo(node.id), place);
      return row;
    }));
    if (hits.length > most) list.append(`${hits.length - most} more`);
  }
  function step(by) {
    if (!hits.length) return;
    current = current < 0 ? (by > 0 ? 0 : hits.length - 1) : (current + by + hits.length) % hits.length;
    byId('count').textContent = `${current + 1} of ${hits.length}`;
    [...byId('results').children].forEach((row, place) => row.classList.toggle('current', place === current));
    if (byId('results').children[current]) byId('results').children[current].scrollIntoView({ block: 'nearest' });
    goTo(hits[current].id);
  }

  // --- hands ---
  byId('search').addEventListener('input', (event) => search(event.target.value));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') { event.target.value = ''; search(''); event.target.blur(); }
    event.stopPropagation();
  });
  for (const [id, action] of [['next', () => step(1)], ['previous', () => step(-1)], ['in', () => zoomBy(1.25)], ['out', () => zoomBy(0.8)], ['fit', fit], ['close', () => select(null)]])
    byId(id).addEventListener('click', action);
  const keys = {
    '+': () => zoomBy(1.25), '=': () => zoomBy(1.25), '-': () => zoomBy(0.8), '0': fit, '/': () => byId('search').focus(),
    n: () => step(1), N: () => step(-1), Escape: () => select(null),
    ArrowLeft: () => show({ ...view, x: view.x - view.w / 10 }), ArrowRight: () => show({ ...view, x: view.x + view.w / 10 }),
    ArrowUp: () => show({ ...view, y: view.y - view.h / 10 }), ArrowDown: () => show({ ...view, y: view.y + view.h / 10 }),
  };
  document.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  picture.addEventListener('wheel', (event) => {
    event.preventDefault();
    const at = pointAt(event.clientX, event.clientY);
    show(zoomed(view, Math.pow(1.0015, -event.deltaY), at.x, at.y));
  }, { passive: false });

  let grabbed = null, moved = false;
  const nodeAt = (target) => {
    const group = target.closest('g.node');
    return group ? shownBy.get(group) : undefined;
  };
  picture.addEventListener('pointerdown', (event) => {
    grabbed = { x: event.clientX, y: event.clientY, view };
    moved = false;
  });
  picture.addEventListener('pointermove', (event) => {
    const node = grabbed ? undefined : nodeAt(event.target);
    const tip = byId('tip');
    tip.hidden = !node;
    if (node) {
      const place = picture.getBoundingClientRect();
      tip.textContent = tipOf(node);
      tip.style.left = `${Math.min(event.clientX - place.left + 14, place.width - tip.offsetWidth - 8)}px`;
      tip.style.top = `${Math.min(event.clientY - place.top + 14, place.height - tip.offsetHeight - 8)}px`;
    }
    if (!grabbed) return;
    const scale = pixelsPerUnit(), dx = event.clientX - grabbed.x, dy = event.clientY - grabbed.y;
    if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
    if (!moved) picture.setPointerCapture(event.pointerId);
    moved = true;
    picture.classList.add('dragging');
    show({ ...view, x: grabbed.view.x - dx / scale, y: grabbed.view.y - dy / scale });
  });
  const release = () => { grabbed = null; picture.classList.remove('dragging'); };
  picture.addEventListener('pointerup', (event) => {
    const node = nodeAt(event.target);
    if (!moved) select(node ? node.id : null);
    release();
  });
  picture.addEventListener('pointercancel', release);
  picture.addEventListener('pointerleave', () => { byId('tip').hidden = true; });

  fitWidth();
  // A frame may get its size later on; what somebody has moved stays.
  window.addEventListener('resize', () => { if (view === atFirst) fitWidth(); });
  const wanted = nodes.find((node) => `#%25${encodeURIComponent(node.name)}` === location.hash || `#${node.name}` === location.hash);
  if (wanted) goTo(wanted.id);
  window.aotscope = { search, step, select, goTo, zoomBy, fit, view: () => view, chosen: () => chosen, hits: () => hits };
}

if (typeof module !== 'undefined') module.exports = { findNodes, zoomed, withoutHeading, readable, closedModules, tipOf };
else start();
