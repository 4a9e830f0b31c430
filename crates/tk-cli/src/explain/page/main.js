// What is shown, and what happens when something is pinned, chosen or pressed.

const state = {
  /** The kernel that is shown, and its place among the kernels. */
  kernel: null,
  index: 0,
  /** The line of the source that is pinned, and the one under the pointer; 0 or null for none. */
  pinned: null,
  hot: 0,
  /** Whether the forms show the pinned line alone. */
  only: false,
  /** What is searched, in lower case. */
  wanted: '',
  /** Which figures stand beside the source: one of `FIGURES`. */
  figures: 'main',
  /** Whether reasons stand below their lines in the source. */
  reasons: true,
  /** The lines that the notes of the pinned line name, with levels. */
  causes: new Map(),
  /** The lines of the layout under the pointer. */
  marked: new Set(),
  /** The class of the color of each line that has code. */
  tints: new Map(),
  panes: {},
  active: null,
};

/** Twelve colors, `t0` to `t11` in the style. */
const TINTS = 12;

function redraw() {
  Object.values(state.panes).forEach(pane => pane.draw());
}

function say(sentence) {
  document.getElementById('message').textContent = sentence;
}

/** Pins a line, or none, and brings what belongs to it into sight in the panes other than `from`. */
function pin(line, from) {
  state.pinned = line;
  state.causes = causesOf(state.kernel, line);
  const panes = Object.values(state.panes);
  if (state.only) panes.forEach(pane => pane.refresh?.());
  if (line) panes.filter(pane => pane !== from).forEach(pane => pane.reveal(line));
  redraw();
  fillLine(state.kernel, line);
  markReasons(line);
  const counts = panes.slice(1).map(pane => `${pane.places.get(line)?.length ?? 0} ${pane.name === 'ir' ? 'IR' : pane.name.toUpperCase()}`);
  say(line ? `line ${line}: ${counts.join(', ')}` : '');
}

function heat(line) {
  if (line === state.hot) return;
  state.hot = line;
  Object.values(state.panes).forEach(pane => pane.heat());
}

function activate(pane) {
  state.active = pane;
  Object.values(state.panes).forEach(other => other.element.classList.toggle('active', other === pane));
}

function activateNext(direction) {
  const panes = Object.values(state.panes).filter(pane => !pane.element.hidden);
  const at = panes.indexOf(state.active);
  panes[(at + direction + panes.length) % panes.length]?.view.focus({ preventScroll: true });
}

function setOnly(only) {
  state.only = only;
  document.getElementById('only').checked = only;
  Object.values(state.panes).forEach(pane => pane.refresh?.());
  if (state.pinned) pin(state.pinned, state.active);
}

/** What the figures beside the source go through: those that one looks at first, all of them, none. */
const FIGURES = ['main', 'all', 'none'];

function nextFigures() {
  state.figures = FIGURES[(FIGURES.indexOf(state.figures) + 1) % FIGURES.length];
  state.panes.source.show(state.kernel);
  if (state.pinned) state.panes.source.reveal(state.pinned);
}

function toggleReasons() {
  state.reasons = !state.reasons;
  state.panes.source.refresh();
  if (state.pinned) state.panes.source.reveal(state.pinned);
}

function togglePane(pane) {
  pane.element.hidden = !pane.element.hidden;
  showButtons();
  if (pane.element.hidden && pane === state.active) activateNext(1);
}

function showButtons() {
  const buttons = Object.values(state.panes).map((pane, index) => {
    const button = make('button', '', pane.head.firstChild.textContent);
    button.type = 'button';
    button.title = `show or hide (${index + 1})`;
    button.setAttribute('aria-pressed', String(!pane.element.hidden));
    button.addEventListener('click', () => togglePane(pane));
    return button;
  });
  document.getElementById('shown').replaceChildren(...buttons);
}

/** An edge behind a pane: dragging it gives room of the next pane in sight to this one, or back. */
function splitter(pane) {
  const edge = make('div', 'splitter');
  dragged(edge, event => {
    const panes = Object.values(state.panes).filter(other => !other.element.hidden);
    const next = panes[panes.indexOf(pane) + 1];
    if (!next || pane.element.hidden) return;
    // Widths in pixels become shares, so that the panes still fill the window when its size changes.
    const widths = panes.map(other => other.element.offsetWidth);
    const room = Math.max(-widths[panes.indexOf(pane)] + 60, Math.min(event.movementX, widths[panes.indexOf(next)] - 60));
    panes.forEach((other, index) => {
      const change = other === pane ? room : other === next ? -room : 0;
      other.element.style.flex = `${widths[index] + change} 1 0`;
    });
  });
  return edge;
}

function dragged(edge, move) {
  edge.addEventListener('pointerdown', event => edge.setPointerCapture(event.pointerId));
  edge.addEventListener('pointermove', event => edge.hasPointerCapture(event.pointerId) && move(event));
}

/** A color for each line that has code, in order, so that neighbours differ. */
function tintsOf(forms) {
  const lines = new Set(forms.flatMap(({ sources }) => sources).filter(line => line > 0));
  const ordered = [...lines].sort((a, b) => a - b);
  return new Map(ordered.map((line, index) => [line, `t${index % TINTS}`]));
}

/** The browser's next chance to paint; pages that nobody sees have none, and go on. */
function painted() {
  return new Promise(done => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

async function showKernel(index) {
  const kernel = facts.kernels[index];
  Object.assign(state, { kernel, index, pinned: null, causes: new Map(), tints: new Map() });
  document.getElementById('kernel').value = String(index);
  const { source, ir, ptx, sass } = state.panes;
  source.show(kernel);
  fillLine(kernel, null);
  fillReasons(kernel);
  fillKernel(kernel);
  await painted();
  const shown = ['mlir', 'ptx', 'sass'].map(kind => lastOf(kernel, kind)).filter(at => at >= 0);
  const lines = await Promise.all(shown.map(at => linesOf(kernel, at)));
  // Somebody may have chosen another kernel meanwhile.
  if (state.kernel !== kernel) return;
  state.tints = tintsOf(lines);
  await Promise.all([ir.show(kernel), ptx.show(kernel), sass.show(kernel)]);
  const first = Math.min(...state.tints.keys());
  if (Number.isFinite(first)) {
    source.scrollTo(source.places.get(first)[0]);
    ptx.reveal(ptx.rows.find(row => row.source)?.source);
  }
  redraw();
}

/** Light and dark: what the system says until somebody switches. */
function switchTheme() {
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  dataset.theme = isDark ? 'light' : 'dark';
  remember(dataset.theme);
}

/** Some browsers keep nothing for pages that are files. */
function remember(theme) {
  try {
    localStorage.setItem('tk-explain-theme', theme);
  } catch {
    say('this browser does not remember the theme');
  }
}

function remembered() {
  try {
    return localStorage.getItem('tk-explain-theme');
  } catch {
    return null;
  }
}

async function start() {
  document.title = `${facts.file} - tk explain`;
  document.getElementById('file').textContent = facts.file;
  const theme = remembered();
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  state.panes = { source: new SourcePane(), ir: new IrPane(), ptx: new FormPane('ptx', 'PTX'), sass: new FormPane('sass', 'SASS') };
  const panes = Object.values(state.panes);
  document.getElementById('panes').append(...panes.flatMap((pane, index) => (index + 1 < panes.length ? [pane.element, splitter(pane)] : [pane.element])));
  dragged(document.getElementById('drawer-splitter'), event => {
    const drawer = document.getElementById('drawer');
    drawer.style.height = `${Math.max(40, drawer.offsetHeight - event.movementY)}px`;
  });
  const kernels = document.getElementById('kernel');
  kernels.append(...facts.kernels.map(({ name }, index) => option(index, facts.kernels.length > 1 ? `${index + 1} ${name}` : name)));
  kernels.addEventListener('change', () => showKernel(Number(kernels.value)));
  document.getElementById('theme').addEventListener('click', switchTheme);
  document.getElementById('help-button').addEventListener('click', () => document.getElementById('help').showModal());
  document.getElementById('why').addEventListener('click', () => stepReason(1));
  document.getElementById('only').addEventListener('change', event => setOnly(event.target.checked));
  document.getElementById('search').addEventListener('keydown', searchKey);
  document.addEventListener('keydown', pressed);
  fillHelp();
  showButtons();
  activate(state.panes.source);
  await showKernel(0);
  state.panes.source.view.focus({ preventScroll: true });
  performance.mark('tk-shown');
  document.documentElement.dataset.ready = 'yes';
}

start();
