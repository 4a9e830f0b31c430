// The keyboard. The overlay shows this list, so that both say the same.

const page = pane => Math.max(1, Math.floor(pane.view.clientHeight / ROW) - 2);
const isSearched = row => state.wanted !== '' && row.text.toLowerCase().includes(state.wanted);
const isPinned = row => row.source && row.source === state.pinned && !row.reason;
const isChange = row => row.change === 'added' || row.change === 'removed';

const KEYS = [
  { keys: ['j', 'ArrowDown'], does: 'next row', run: pane => pane.moveTo(pane.cursor + 1) },
  { keys: ['k', 'ArrowUp'], does: 'row before', run: pane => pane.moveTo(pane.cursor - 1) },
  { keys: ['PageDown'], does: 'a page down', run: pane => pane.moveTo(pane.cursor + page(pane)) },
  { keys: ['PageUp'], does: 'a page up', run: pane => pane.moveTo(pane.cursor - page(pane)) },
  { keys: ['g', 'Home'], does: 'first row', run: pane => pane.moveTo(0) },
  { keys: ['G', 'End'], does: 'last row', run: pane => pane.moveTo(pane.rows.length - 1) },
  { keys: ['l', 'ArrowRight'], does: 'next pane', run: () => activateNext(1) },
  { keys: ['h', 'ArrowLeft'], does: 'pane before', run: () => activateNext(-1) },
  { keys: ['Enter', ' '], does: 'pin the row, or let it go; open a fold', run: pane => pane.rows[pane.cursor] && pane.choose(pane.rows[pane.cursor]) },
  { keys: ['n'], does: 'next row of the pinned line', run: pane => pane.moveToNext(1, isPinned) },
  { keys: ['N'], does: 'row of the pinned line before', run: pane => pane.moveToNext(-1, isPinned) },
  { keys: ['w'], does: 'next line with a reason why it is slow', run: () => stepReason(1) },
  { keys: ['W'], does: 'line with a reason before', run: () => stepReason(-1) },
  { keys: ['r'], does: 'reasons below their lines, or not', run: () => toggleReasons() },
  { keys: ['Escape'], does: 'let the pinned line go', run: () => pin(null, null) },
  { keys: ['o'], does: 'only rows of the pinned line, or all', run: () => setOnly(!state.only) },
  { keys: [']'], does: 'next form of the IR', run: () => state.panes.ir.step(1, false) },
  { keys: ['['], does: 'form before', run: () => state.panes.ir.step(-1, false) },
  { keys: ['}'], does: 'next form that changed something', run: () => state.panes.ir.step(1, true) },
  { keys: ['{'], does: 'form before that changed something', run: () => state.panes.ir.step(-1, true) },
  { keys: ['d'], does: 'compare with the form before, or not', run: () => state.panes.ir.toggleComparison() },
  { keys: ['c'], does: 'next change of a comparison', run: () => state.panes.ir.moveToNext(1, isChange) },
  { keys: ['/'], does: 'search in the pane', run: () => openSearch() },
  { keys: ['s'], does: 'next row that was searched', run: pane => pane.moveToNext(1, isSearched) },
  { keys: ['S'], does: 'row before that was searched', run: pane => pane.moveToNext(-1, isSearched) },
  { keys: ['1', '2', '3', '4'], does: 'show or hide source, IR, PTX, SASS', run: (_, key) => togglePane(Object.values(state.panes)[Number(key) - 1]) },
  { keys: ['f'], does: 'more figures beside the source, or none', run: () => nextFigures() },
  { keys: ['i'], does: 'what is known of line and kernel, or not', run: () => setDrawer(document.getElementById('drawer').hidden) },
  { keys: ['m'], does: 'next kernel', run: () => showKernel((state.index + 1) % facts.kernels.length) },
  { keys: ['t'], does: 'light, dark', run: () => switchTheme() },
  { keys: ['?'], does: 'these keys', run: () => document.getElementById('help').showModal() },
];

/** Keys that one needs first. */
const FIRST_KEYS = ['j', 'l', 'Enter', 'w', '}', 'd', '/', '?'];

function keyRow({ keys, does }) {
  return [make('td', '', ...keys.flatMap(key => [make('kbd', '', key === ' ' ? 'Space' : key), ' '])), does];
}

function someKeys() {
  return table(null, KEYS.filter(({ keys }) => FIRST_KEYS.includes(keys[0])).map(keyRow));
}

function fillHelp() {
  document.getElementById('keys').replaceChildren(...table(null, KEYS.map(keyRow)).children);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.getElementById('help').open || /^(INPUT|SELECT|BUTTON)$/.test(event.target.nodeName)) return;
  const binding = KEYS.find(({ keys }) => keys.includes(event.key));
  if (!binding) return;
  event.preventDefault();
  binding.run(state.active, event.key);
}

function openSearch() {
  const field = document.getElementById('search');
  field.hidden = false;
  field.focus();
  field.select();
}

function searchKey(event) {
  const field = document.getElementById('search');
  if (event.key !== 'Enter' && event.key !== 'Escape') return;
  event.preventDefault();
  if (event.key === 'Escape') {
    field.hidden = true;
    field.value = '';
  }
  state.wanted = field.value.toLowerCase();
  state.active.view.focus();
  if (event.key === 'Enter' && !state.active.moveToNext(1, isSearched)) say(`"${field.value}" is not in this pane`);
  redraw();
}
