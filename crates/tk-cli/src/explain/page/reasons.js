// Why lines are slow: below their lines in the source, as a list that leads to them, and in the sentences links to the lines that they name.

/** The font of reasons below lines; `.because-row` in the style is the same. */
const REASON_FONT = '12px system-ui, sans-serif';

/** Whether a note makes the kernel slow or wrong. */
const isReason = note => note.level === 'bad';

/** Notes in the order of the list: what asks for attention first, then by line. */
function inOrder(notes) {
  return [...notes].sort((a, b) => Number(isReason(b)) - Number(isReason(a)) || (a.line ?? Infinity) - (b.line ?? Infinity));
}

/** The lines with reasons, in order, each once. */
function reasonLines(kernel) {
  return [...new Set(kernel.notes.filter(note => note.line && isReason(note)).map(note => note.line))].sort((a, b) => a - b);
}

/** The lines that the notes of a line name, such as where something was lost, each with the level of the worst note that does. */
function causesOf(kernel, line) {
  const causes = new Map();
  for (const note of inOrder(line ? ofLine(kernel.notes, line) : []).reverse()) note.because_of.forEach(other => causes.set(other, note.level));
  return causes;
}

/** The sentence of a note, or a part of it, in which `line 12` is a link where the note says that line 12 is one of its reasons, and `code` is code. */
function sentence(text, { because_of: lines }) {
  return text.split(/(`[^`]*`|\bline\s\d+\b)/).map(part => {
    const line = Number(/^line\s(\d+)$/.exec(part)?.[1]);
    if (lines.includes(line)) return lineLink(line, part);
    return /^`.*`$/.test(part) ? make('code', '', part.slice(1, -1)) : part;
  });
}

/** What a note says, with its place where that is in another file. */
function textOf({ place, text }) {
  return place ? `${place}: ${text}` : text;
}

function chip({ about, level }) {
  return make('span', `about ${level}`, about);
}

/** A text in rows that are so many pixels wide. Names of lines stay in one row, so that they can be links. */
function wrapped(text, width) {
  const pencil = (wrapped.pencil ??= document.createElement('canvas').getContext('2d'));
  pencil.font = REASON_FONT;
  const rows = [''];
  for (const word of text.replace(/\bline (?=\d)/g, 'line\u00a0').split(' ')) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${word}` : word;
    if (!rows.at(-1) || pencil.measureText(longer).width <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/** The list of all notes of a kernel; a click on one pins its line. */
function fillReasons(kernel) {
  const place = document.getElementById('reasons');
  const slow = kernel.notes.filter(isReason).length;
  const rows = inOrder(kernel.notes).map(note => {
    const at = note.line ? lineLink(note.line) : make('span', 'note', '–');
    const row = make('div', `reason ${note.level}`, make('span', 'at', at), make('span', 'kind', chip(note)), make('span', 'sentence', ...sentence(textOf(note), note)));
    if (note.line) row.dataset.line = note.line;
    row.addEventListener('click', event => {
      if (note.line && !event.target.closest('button') && getSelection().isCollapsed) pin(note.line, null);
    });
    return row;
  });
  const heading = make('h2', '', 'Why ', make('span', 'note', slow > 0 ? `${slow} to look at` : 'nothing makes it slow that tk knows of'));
  place.replaceChildren(heading, ...rows);
  const button = document.getElementById('why');
  const lines = reasonLines(kernel).length;
  button.hidden = lines === 0;
  button.textContent = lines === 1 ? '1 line to look at' : `${lines} lines to look at`;
}

/** Marks what belongs to the pinned line in the list, and brings it into sight. */
function markReasons(line) {
  const rows = [...document.querySelectorAll('#reasons .reason')];
  rows.forEach(row => row.classList.toggle('pin', Boolean(line) && Number(row.dataset.line) === line));
  const list = document.getElementById('reasons');
  const [first] = rows.filter(row => row.classList.contains('pin'));
  if (!first) return;
  const top = first.offsetTop - list.offsetTop, bottom = top + first.offsetHeight;
  if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - 30;
}

/** Pins the next line with a reason, in a direction, behind the cursor of the source; around the end. */
function stepReason(direction) {
  const lines = reasonLines(state.kernel);
  if (lines.length === 0) return say('nothing makes this kernel slow that tk knows of');
  const at = state.pinned ?? (direction > 0 ? 0 : Infinity);
  const next = direction > 0 ? lines.find(line => line > at) ?? lines[0] : lines.findLast(line => line < at) ?? lines.at(-1);
  setDrawer(true);
  pin(next, null);
}
