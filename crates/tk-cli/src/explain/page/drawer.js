// What is known of the pinned line, of the kernel, and of its layouts: below the panes.

/** A table of rows, each a list of elements or texts; the first row is the heading. */
function table(heading, rows) {
  const line = (tag, parts) => make('tr', '', ...parts.map(part => (part instanceof Node && /^T[DH]$/.test(part.nodeName) ? part : make(tag, '', part))));
  return make('table', '', ...(heading ? [line('th', heading)] : []), ...rows.map(row => line('td', row)));
}

/** A button that pins a line. */
function lineLink(line, text = String(line)) {
  const button = make('button', 'link', text);
  button.type = 'button';
  button.title = (facts.source[line - 1] ?? '').trim();
  button.addEventListener('click', () => pin(line, null));
  return button;
}

function accessTable(accesses) {
  const withPlace = accesses.some(({ place }) => place);
  const rows = accesses.map(access => {
    const excess = access.units - access.least_units;
    const units = make('td', excess > access.least_units / 100 ? 'bad' : '', String(access.units));
    const unit = access.space === 'global' ? 'sectors' : 'wavefronts';
    return [...(withPlace ? [access.place ?? ''] : []), `${access.space} ${access.kind}`, String(access.bits), String(access.requests), units, `${access.least_units} ${unit}`];
  });
  return table([...(withPlace ? ['place'] : []), 'access', 'bits', 'requests', 'takes', 'at least'], rows);
}

function noteRow(note) {
  return make('div', 'row-of-note', chip(note), ...sentence(textOf(note), note));
}

function layoutRow(layout) {
  const name = make('button', 'link', layout.name);
  name.type = 'button';
  const picture = make('div', 'picture');
  name.addEventListener('click', () => togglePicture(layout, picture));
  const lines = layout.lines.length > 0 ? [' lines ', ...layout.lines.map(line => lineLink(line))] : [];
  const row = make('div', 'layout-row', name, ` on ${layout.tensor}`, ...lines, picture);
  row.dataset.layout = layout.name;
  row.addEventListener('mouseenter', () => markLines(layout.lines));
  row.addEventListener('mouseleave', () => markLines([]));
  return row;
}

/** Marks lines in the source, those of the layout under the pointer. */
function markLines(lines) {
  state.marked = new Set(lines);
  state.panes.source.draw();
}

/** Shows a layout's words and picture, or takes them away. */
async function togglePicture(layout, place) {
  if (place.hasChildNodes()) return place.replaceChildren();
  layout.picture ??= unpack(layout.svg);
  const text = await layout.picture;
  const picture = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  place.replaceChildren(make('div', 'definition', layout.text), make('div', '', layout.words), document.importNode(picture, true));
  place.parentNode.scrollIntoView({ block: 'nearest' });
}

/** Shows the picture of a layout that a form names; a form before the last may name it otherwise. */
async function showLayout(alias, pane) {
  const { kernel } = state;
  const last = await linesOf(kernel, lastOf(kernel, 'mlir'));
  const meaning = aliasesOf(pane.lines.text).get(alias);
  const meanings = aliasesOf(last.text);
  const layout = kernel.layouts.find(({ name }) => meanings.get(name) === meaning);
  if (!layout) return say(`${alias} is ${meaning ?? 'not known'}; the last IR has no picture of it`);
  setDrawer(true);
  const row = document.querySelector(`#kernel-facts [data-layout="${CSS.escape(layout.name)}"]`);
  if (!row.querySelector('.picture').hasChildNodes()) row.querySelector('button').click();
  row.scrollIntoView();
}

function fillLine(kernel, line) {
  const place = document.getElementById('line-facts');
  place.scrollTop = 0;
  if (!line) {
    return place.replaceChildren(make('h2', '', 'No line is pinned'), make('p', 'note', 'Click a line to see what becomes of it, or move to it and press Enter.'), someKeys());
  }
  const parts = [make('h2', '', `Line ${line} `, make('code', '', (facts.source[line - 1] ?? '').trim()))];
  const notes = ofLine(kernel.notes, line), accesses = ofLine(kernel.accesses, line);
  const layouts = kernel.layouts.filter(layout => layout.lines.includes(line));
  parts.push(...inOrder(notes).map(noteRow));
  if (accesses.length > 0) parts.push(make('h3', '', 'Memory'), accessTable(accesses));
  if (layouts.length > 0) parts.push(make('h3', '', 'Layouts of its values'), ...layouts.map(layoutRow));
  if (parts.length === 1) parts.push(make('p', 'note', 'Nothing is known of this line but its code.'));
  place.replaceChildren(...parts);
}

function fillKernel(kernel) {
  const place = document.getElementById('kernel-facts');
  const parts = [make('h2', '', 'Kernel ', make('code', '', kernel.name)), table(null, kernel.uses.map(({ name, value }) => [make('th', '', name), value]))];
  if (kernel.signature) parts.push(make('div', 'definition', kernel.signature));
  const elsewhere = kernel.accesses.filter(({ line }) => !line);
  if (elsewhere.length > 0) parts.push(make('h3', '', 'Memory, in other files'), accessTable(elsewhere));
  if (kernel.accesses.length === 0) parts.push(make('p', 'note', 'What it asks of memory is known where main() runs: without --signature.'));
  if (kernel.layouts.length > 0) parts.push(make('h3', '', 'Layouts'), ...kernel.layouts.map(layoutRow));
  place.replaceChildren(...parts);
}

function setDrawer(open) {
  document.getElementById('drawer').hidden = !open;
}
