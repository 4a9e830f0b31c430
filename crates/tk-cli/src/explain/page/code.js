// The four panes: the source with figures beside it, one form of the IR or a comparison of two, PTX and SASS.

/** Unchanged rows shown around a change. */
const CONTEXT = 3;

class SourcePane extends Pane {
  constructor() {
    super('source', 'source');
    this.cells = new Map();
    this.headings = [];
  }

  /** The source with the figures of a kernel. */
  show(kernel) {
    this.cells = new Map();
    this.headings = [];
    if (state.figures !== 'none') {
      const columns = kernel.columns.filter(({ rank }) => state.figures === 'all' || rank === 'main');
      for (const column of [...columns, marks(kernel)]) this.addColumn(column);
    }
    this.columns.replaceChildren(make('span', 'number', ''), ...this.headings.map(({ name, words: meaning, width }) => cell(name, '', width, meaning)));
    this.columns.hidden = this.headings.length === 0;
    this.reasons = new Map();
    for (const note of inOrder(kernel.notes).filter(note => note.line && isReason(note))) {
      this.reasons.set(note.line, [...(this.reasons.get(note.line) ?? []), note]);
    }
    this.refresh();
  }

  /** All lines, each with its reasons below it. */
  refresh() {
    this.width = this.view.clientWidth;
    const rows = facts.source.flatMap((text, index) => {
      const row = { text, source: index + 1, number: index + 1 };
      return state.reasons && this.reasons.has(row.source) ? [row, ...this.reasonRows(row)] : [row];
    });
    this.setRows(rows);
  }

  /** The reasons of a line as rows as wide as the pane, indented like its text as far as there is room. */
  reasonRows({ text, source }) {
    const indent = Math.min(text.search(/\S|$/), 8);
    const room = Math.max(160, this.width - 64 - indent * 7.3);
    return this.reasons.get(source).flatMap(note => wrapped(textOf(note), room).map((part, at) => ({ text: part, source, reason: note, first: at === 0, indent })));
  }

  /** A pane of another width wraps reasons anew; what was at the top stays there. */
  scrolled() {
    if (this.reasons?.size > 0 && this.view.clientWidth !== this.width) {
      const top = this.rows[Math.floor(this.view.scrollTop / ROW)]?.source;
      this.refresh();
      if (top) this.view.scrollTop = this.places.get(top)[0] * ROW;
    }
    super.scrolled();
  }

  drawRow(row, index) {
    const element = row.reason ? this.drawReason(row, index) : super.drawRow(row, index);
    const cause = row.reason ? undefined : state.causes.get(row.source);
    if (cause) element.classList.add('cause', cause);
    element.classList.toggle('marked', state.marked.has(row.source) && !row.reason);
    return element;
  }

  drawReason({ text, source, reason, first, indent }, index) {
    const body = make('span', 'because', ...sentence(text, reason));
    const element = make('div', 'row because-row', make('span', 'mark', first ? '▲' : ''), body);
    body.style.paddingLeft = `calc(${indent}ch + 4px)`;
    element.style.width = `${this.width}px`;
    element.title = `${reason.about}: ${textOf(reason)}`;
    Object.assign(element.dataset, { index, line: source });
    element.classList.toggle('pin', source === state.pinned);
    element.classList.toggle('hot', source === state.hot);
    element.classList.toggle('cursor', index === this.cursor);
    return element;
  }

  addColumn({ name, words: meaning, cells }) {
    const at = this.headings.length;
    const width = 1 + cells.reduce((most, { text }) => Math.max(most, text.length), Math.max(1, name.length));
    this.headings.push({ name, words: meaning, width });
    for (const figure of cells) {
      const row = this.cells.get(figure.line) ?? [];
      row[at] = figure;
      this.cells.set(figure.line, row);
    }
  }

  cellsOf(row) {
    const figures = this.cells.get(row.source) ?? [];
    return this.headings.map(({ name, words: meaning, width }, at) => {
      const figure = figures[at];
      return cell(figure?.text ?? '', figure?.level ?? '', width, figure ? (figure.title ?? `${name}: ${meaning}`) : '');
    });
  }
}

function cell(text, level, width, title) {
  const element = make('span', 'cell ' + level, text);
  element.style.width = width + 'ch';
  if (title) element.title = title;
  return element;
}

/** A column that says which lines have notes: `▲` where one of them asks for attention. */
function marks(kernel) {
  const lines = new Map();
  for (const note of kernel.notes.filter(({ line }) => line)) lines.set(note.line, [...(lines.get(note.line) ?? []), note]);
  const cells = [...lines].map(([line, notes]) => {
    const warns = notes.some(isReason);
    return { line, text: warns ? '▲' : '•', level: warns ? 'bad' : 'plain', title: notes.map(note => `${note.about}: ${textOf(note)}`).join('\n') };
  });
  return { name: '', words: 'notes', cells };
}

/** The rows of a form, one for each line. */
function rowsOfForm({ text, sources }) {
  return text.map((line, index) => ({ text: line, source: sources[index], number: index + 1 }));
}

/** A pane that shows one form as it is. */
class FormPane extends Pane {
  constructor(name, title, ...parts) {
    super(name, title, ...parts);
    this.all = [];
  }

  async show(kernel) {
    const index = lastOf(kernel, this.name);
    if (index < 0) return this.setNothing(kernel);
    this.all = rowsOfForm(await linesOf(kernel, index));
    this.refresh();
  }

  setNothing(kernel) {
    this.all = [];
    this.setEmpty((this.name === 'sass' && kernel.sass_missing) || `There is no ${this.name}.`);
  }

  /** The rows that are to be seen: all, or those of the pinned line. */
  refresh() {
    if (this.all.length === 0) return;
    this.setRows(state.only && state.pinned ? this.all.filter(row => row.source === state.pinned) : this.all);
  }
}

/** The pane of the IR: a form that is chosen, alone or compared with one before it. */
class IrPane extends FormPane {
  constructor() {
    const form = make('select');
    form.id = 'form';
    form.title = 'which form ([ and ])';
    const other = make('select');
    other.id = 'compared';
    other.title = 'compared with which form (d: the one before)';
    const count = make('span', 'note');
    count.id = 'changes';
    super('ir', 'IR', form, other, count);
    Object.assign(this, { form, other, count, opened: new Set(), shown: 0 });
    form.addEventListener('change', () => this.choice());
    other.addEventListener('change', () => this.choice());
  }

  async show(kernel) {
    this.kernel = kernel;
    const options = kernel.forms.map((form, index) => ({ form, index })).filter(({ form }) => form.kind !== 'ptx' && form.kind !== 'sass');
    this.form.replaceChildren(...options.map(({ form, index }) => option(index, formTitle(form, index))));
    const last = lastOf(kernel, 'mlir');
    await this.showForm(last >= 0 ? last : 0, -1);
  }

  /** Shows a form, compared with another one unless that is -1 or of another kind. */
  async showForm(index, against) {
    const { kernel } = this;
    const kind = kernel.forms[index].kind;
    this.form.value = String(index);
    const others = kernel.forms.map((form, at) => ({ form, at })).filter(({ form, at }) => form.kind === kind && at < index);
    this.other.replaceChildren(option(-1, 'not compared'), ...others.reverse().map(({ form, at }) => option(at, 'vs. ' + formTitle(form, at))));
    const compared = others.some(({ at }) => at === against) ? against : -1;
    this.other.value = String(compared);
    this.index = index;
    this.compared = compared;
    this.comparing = against >= 0;
    this.opened = new Set();
    const turn = (this.shown += 1);
    const now = await linesOf(kernel, index);
    const old = compared >= 0 ? await linesOf(kernel, compared) : null;
    // Somebody may have chosen another form meanwhile.
    if (turn !== this.shown) return;
    this.kind = kind;
    this.lines = now;
    this.setComparison(now, old);
    this.refresh();
    if (state.pinned) this.reveal(state.pinned);
  }

  setComparison(now, old) {
    this.count.textContent = '';
    this.all = rowsOfForm(now);
    if (!old) return;
    this.all = compare(old, now).map(({ change, old: i, now: j }) => {
      const [lines, index] = change === 'removed' ? [old, i] : [now, j];
      return { text: lines.text[index], source: lines.sources[index], number: index + 1, change };
    });
    const count = change => this.all.filter(row => row.change === change).length;
    this.count.textContent = `+${count('added')} −${count('removed')}`;
  }

  refresh() {
    if (this.compared < 0 || (state.only && state.pinned)) super.refresh();
    else this.setRows(folded(this.all, this.opened));
  }

  open(row) {
    this.opened.add(row.fold);
    this.refresh();
  }

  reveal(line) {
    if (this.compared >= 0 && !this.places.has(line)) {
      const hidden = folded(this.all, this.opened).find(row => row.fold && row.hides.some(({ source }) => source === line));
      if (hidden) this.open(hidden);
    }
    super.reveal(line);
  }

  choice() {
    return this.showForm(Number(this.form.value), Number(this.other.value));
  }

  /** Goes to another form in a direction; `changed` passes over those that changed nothing. A comparison stays one with the form before. */
  step(direction, changed) {
    const forms = this.kernel.forms;
    let index = this.index + direction;
    const isShown = form => form && form.kind !== 'ptx' && form.kind !== 'sass';
    while (changed && isShown(forms[index]) && !forms[index].changed) index += direction;
    if (isShown(forms[index])) this.showForm(index, this.comparing ? index - 1 : -1);
  }

  /** Compares with the form before, or no longer. */
  toggleComparison() {
    this.showForm(this.index, this.comparing ? -1 : this.index - 1);
  }
}

function option(value, text) {
  const element = make('option', '', text);
  element.value = String(value);
  return element;
}

function formTitle(form, index) {
  return `${index} ${form.name}${form.changed ? '' : ' (no change)'}, ${form.milliseconds.toFixed(2)} ms`;
}

/** Rows of a comparison with the unchanged ones far from changes folded, each fold one row; those that were opened are left. */
function folded(rows, opened) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, index) => {
    if (row.change !== 'same') near.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const out = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !near[end]) end += 1;
    const fold = index + 1;
    if (end === index) out.push(rows[index++]);
    else if (opened.has(fold)) out.push(...rows.slice(index, end));
    else out.push({ text: `⋯ ${end - index} lines are the same`, fold, hides: rows.slice(index, end) });
    index = Math.max(index, end);
  }
  return out;
}
