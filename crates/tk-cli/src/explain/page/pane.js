// A pane: a list of rows of which only those in sight are elements, so that its length costs nothing.

/** Pixels of a row; `--row` in the style is the same. */
const ROW = 18;
/** Rows drawn beyond both edges. */
const BEYOND = 20;

class Pane {
  /** `kind` names the words that get colors; `parts` are elements behind the title. */
  constructor(name, title, ...parts) {
    this.name = name;
    this.kind = name;
    this.rows = [];
    this.places = new Map();
    this.cursor = 0;
    this.drawn = { first: 0, last: 0 };
    this.head = make('div', 'head', make('span', 'title', title), ...parts);
    this.columns = make('div', 'columns');
    this.columns.hidden = true;
    this.list = make('div', 'rows');
    this.space = make('div', 'space', this.list);
    this.view = make('div', 'view', this.space);
    this.view.tabIndex = 0;
    this.view.setAttribute('aria-label', title);
    this.element = make('section', 'pane', this.head, this.columns, this.view);
    this.element.id = 'pane-' + name;
    this.view.addEventListener('scroll', () => this.scrolled(), { passive: true });
    this.view.addEventListener('focus', () => activate(this));
    this.view.addEventListener('mouseover', event => heat(this.rowOf(event)?.source ?? 0));
    this.view.addEventListener('mouseleave', () => heat(0));
    this.view.addEventListener('click', event => this.clicked(event));
    new ResizeObserver(() => this.scrolled()).observe(this.view);
  }

  /** Shows rows `{text, source, number, change, fold}`; the scroll position stays where it can. */
  setRows(rows) {
    this.rows = rows;
    this.element.classList.remove('without');
    this.places = new Map();
    let widest = 0;
    rows.forEach((row, index) => {
      widest = Math.max(widest, row.text.length);
      if (!row.source) return;
      const places = this.places.get(row.source);
      if (places) places.push(index); else this.places.set(row.source, [index]);
    });
    this.cursor = Math.min(this.cursor, Math.max(0, rows.length - 1));
    this.space.style.height = rows.length * ROW + 'px';
    this.space.style.width = widest + 12 + 'ch';
    this.draw();
  }

  /** Shows a sentence in place of rows. */
  setEmpty(sentence) {
    this.setRows([]);
    this.element.classList.add('without');
    this.space.style.width = '';
    this.space.replaceChildren(make('div', 'empty', sentence));
  }

  /** The rows in sight, those that are cut off included. */
  sight() {
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW));
    return { first, last: Math.min(this.rows.length, Math.ceil((this.view.scrollTop + this.view.clientHeight) / ROW)) };
  }

  /** Draws again where rows come into sight that are no elements yet; the others stay, so that a click meets what was aimed at. */
  scrolled() {
    const { first, last } = this.sight();
    if (first < this.drawn.first || last > this.drawn.last) this.draw();
  }

  draw() {
    const sight = this.sight();
    const first = Math.max(0, sight.first - BEYOND), last = Math.min(this.rows.length, sight.last + BEYOND);
    this.drawn = { first, last };
    const elements = [];
    for (let index = first; index < last; index += 1) elements.push(this.drawRow(this.rows[index], index));
    this.list.style.transform = `translateY(${first * ROW}px)`;
    this.list.replaceChildren(...elements);
    if (this.rows.length > 0 && this.list.parentNode !== this.space) this.space.replaceChildren(this.list);
  }

  drawRow(row, index) {
    const edge = make('span', 'edge', make('span', 'number', row.number ? String(row.number) : ''), ...this.cellsOf(row));
    if (row.change) edge.append(make('span', 'sign', SIGNS[row.change]));
    const element = make('div', 'row', edge, make('span', 'text', ...(row.fold ? [row.text] : words(this.kind, row.text))));
    element.dataset.index = index;
    const tint = state.tints.get(row.source);
    if (tint) element.classList.add('tint', tint);
    if (row.source) element.dataset.line = row.source;
    if (row.change) element.classList.add(row.change);
    element.classList.toggle('fold', Boolean(row.fold));
    element.classList.toggle('pin', Boolean(row.source) && row.source === state.pinned);
    element.classList.toggle('hot', Boolean(row.source) && row.source === state.hot);
    element.classList.toggle('cursor', index === this.cursor);
    element.classList.toggle('found', Boolean(state.wanted) && row.text.toLowerCase().includes(state.wanted));
    return element;
  }

  /** Elements between the number of a row and its text. */
  cellsOf() {
    return [];
  }

  rowOf(event) {
    const element = event.target.closest?.('.row');
    return element && this.rows[Number(element.dataset.index)];
  }

  clicked(event) {
    const row = this.rowOf(event);
    // Whoever marks text to copy it does not pin.
    if (!row || !getSelection().isCollapsed || event.target.closest('button')) return;
    this.cursor = this.rows.indexOf(row);
    if (event.target.classList.contains('layout')) showLayout(event.target.textContent, this);
    else this.choose(row);
  }

  /** What a click on a row does, and the key for it. */
  choose(row) {
    if (row.fold) this.open(row);
    else if (row.source) pin(row.source === state.pinned ? null : row.source, this);
  }

  open() {}

  /** Marks the rows of the line under the pointer, without drawing anything again. */
  heat() {
    for (const element of this.list.children) element.classList.toggle('hot', Number(element.dataset.line) === state.hot);
  }

  /** Scrolls so that rows of a line are in sight, if there are any: where most of them stand together, unless some are seen already. */
  reveal(line) {
    const rows = this.places.get(line);
    if (!rows) return;
    const seen = rows.find(index => this.isInSight(index));
    this.cursor = seen ?? this.densest(rows);
    if (seen === undefined) this.scrollTo(this.cursor);
  }

  /** The row from which on most of some rows, which are in order, fit into two thirds of the pane. */
  densest(rows) {
    const room = Math.max(1, Math.floor(this.view.clientHeight / ROW / 1.5));
    let best = 0, most = 0;
    for (let first = 0, last = 0; first < rows.length; first += 1) {
      while (last < rows.length && rows[last] < rows[first] + room) last += 1;
      if (last - first > most) [best, most] = [first, last - first];
    }
    return rows[best];
  }

  isInSight(index) {
    const top = index * ROW;
    return top >= this.view.scrollTop && top + ROW <= this.view.scrollTop + this.view.clientHeight;
  }

  scrollTo(index) {
    this.view.scrollTop = index * ROW - this.view.clientHeight / 3;
  }

  /** Moves the cursor to a row, which comes into sight. */
  moveTo(index) {
    this.cursor = Math.max(0, Math.min(index, this.rows.length - 1));
    const top = this.cursor * ROW, height = this.view.clientHeight;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    if (top + ROW > this.view.scrollTop + height) this.view.scrollTop = top + ROW - height;
    this.draw();
  }

  /** Moves the cursor to the next row, in a direction, that a test takes; around the end. */
  moveToNext(direction, test) {
    const count = this.rows.length;
    for (let step = 1; step <= count; step += 1) {
      const index = (this.cursor + direction * step + count * 2) % count;
      if (!test(this.rows[index])) continue;
      this.cursor = index;
      if (!this.isInSight(index)) this.scrollTo(index);
      this.draw();
      return true;
    }
    return false;
  }
}

const SIGNS = { added: '+', removed: '-', same: ' ' };
