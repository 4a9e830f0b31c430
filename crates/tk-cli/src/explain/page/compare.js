// Differences between two forms that are not only other numbers of values or names of layouts.
//
// Lines are matched by keys in which numbers of values are left out and layouts written out, first by keys that say most. Then matched lines
// are read in order: whoever uses another value than its partner, as far as definitions say, is a difference after all.

const VALUE = /%[A-Za-z0-9_$.-]+/g;

/** `%accumulator_12` → `%accumulator`, `%7` → `%`; names without a number stay. */
function withoutNumber(name) {
  return /^%[a-z]{0,2}\d+$/.test(name) ? '%' : name.replace(/_\d+$/, '');
}

/** What each alias of a form stands for: `#blocked1` → its text, with aliases in it written out. */
function aliasesOf(text) {
  const meanings = new Map();
  for (const line of text) {
    const found = /^(#[A-Za-z_]\w*) = (.*)$/.exec(line);
    if (found) meanings.set(found[1], withAliases(found[2], meanings));
  }
  return meanings;
}

function withAliases(line, meanings) {
  return meanings.size === 0 ? line : line.replace(/#[A-Za-z_]\w*/g, name => meanings.get(name) ?? name);
}

/** The names that a line defines: in front of `=`, arguments of blocks and functions, and labels, which are written `%30:` here. */
function definedBy(line) {
  const names = new Set();
  const results = /^\s*(%[\w$.-]+(?::\d+)?(?:, %[\w$.-]+(?::\d+)?)*) = /.exec(line);
  if (results) for (const [name] of results[1].matchAll(VALUE)) names.add(name);
  for (const found of line.matchAll(/(%[\w$.-]+)(?= = )/g)) names.add(found[1]);
  const declares = /^\s*(\^|[\w.]*func |define |kernel |%\d+:)/.test(line);
  if (declares) for (const found of line.matchAll(/(%[\w$.-]+)(?=[:,)])/g)) names.add(found[1]);
  return names;
}

/** How many keys a line has: with what defines its operands, with its place, with names of values, and with none of these. */
const KEYS_OF_A_LINE = 4;

/** A form made ready to be compared: each line with its values, those that it defines, and its keys, the one that says most first. */
function prepared(lines) {
  const aliases = aliasesOf(lines.text);
  const definitions = new Map();
  return lines.text.map((written, index) => {
    const text = written.replace(/^\d+:/, '%$&');
    const meaning = aliases.get(/^(#\w+) = /.exec(text)?.[1]) ?? withAliases(text, aliases);
    const values = meaning.match(VALUE) ?? [];
    const defined = definedBy(text);
    const plain = meaning.replace(VALUE, withoutNumber);
    const placed = plain + '\n' + lines.sources[index];
    const operands = values.filter(name => !defined.has(name)).map(name => definitions.get(name) ?? '');
    defined.forEach(name => definitions.set(name, plain));
    return { values, defined, keys: [placed + '\n' + operands.join('\n'), placed, plain, meaning.replace(VALUE, '%')] };
  });
}

/** Longest increasing run of the second members of pairs that are in the order of the first: which of them can all be kept. */
function increasing(pairs) {
  const tails = [];
  const before = new Array(pairs.length).fill(-1);
  pairs.forEach(([, value], index) => {
    let low = 0, high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]][1] < value) low = middle + 1; else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1];
    tails[low] = index;
  });
  const kept = [];
  for (let at = tails.length > 0 ? tails[tails.length - 1] : -1; at >= 0; at = before[at]) kept.push(pairs[at]);
  return kept.reverse();
}

/** Pairs of lines of a gap whose key occurs once on each side. */
function uniquePairs(gap, oldKeys, newKeys) {
  const seen = new Map();
  const note = (key, side, index) => {
    const entry = seen.get(key) ?? { old: [], new: [] };
    entry[side].push(index);
    seen.set(key, entry);
  };
  for (let i = gap.oldFrom; i < gap.oldTo; i += 1) note(oldKeys[i], 'old', i);
  for (let j = gap.newFrom; j < gap.newTo; j += 1) note(newKeys[j], 'new', j);
  const unique = [...seen.values()].filter(entry => entry.old.length === 1 && entry.new.length === 1);
  return increasing(unique.map(entry => [entry.old[0], entry.new[0]]).sort((a, b) => a[0] - b[0]));
}

/** The most entries of the table that a gap is compared with exactly. */
const MOST_ENTRIES = 1_000_000;

/** Pairs of a longest common subsequence of a small gap; none of a large one. */
function commonPairs(gap, oldKeys, newKeys) {
  const height = gap.oldTo - gap.oldFrom, width = gap.newTo - gap.newFrom;
  if (height * width > MOST_ENTRIES) return [];
  const table = new Uint16Array((height + 1) * (width + 1));
  const at = (i, j) => i * (width + 1) + j;
  for (let i = height - 1; i >= 0; i -= 1) {
    for (let j = width - 1; j >= 0; j -= 1) {
      const same = oldKeys[gap.oldFrom + i] === newKeys[gap.newFrom + j];
      table[at(i, j)] = same ? table[at(i + 1, j + 1)] + 1 : Math.max(table[at(i + 1, j)], table[at(i, j + 1)]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < height && j < width;) {
    if (oldKeys[gap.oldFrom + i] === newKeys[gap.newFrom + j]) pairs.push([gap.oldFrom + i++, gap.newFrom + j++]);
    else if (table[at(i + 1, j)] >= table[at(i, j + 1)]) i += 1;
    else j += 1;
  }
  return pairs;
}

/** The gaps between pairs, within a gap. */
function gapsBetween(gap, pairs) {
  const gaps = [];
  let [oldFrom, newFrom] = [gap.oldFrom, gap.newFrom];
  for (const [i, j] of [...pairs, [gap.oldTo, gap.newTo]]) {
    if (i > oldFrom && j > newFrom) gaps.push({ oldFrom, oldTo: i, newFrom, newTo: j });
    [oldFrom, newFrom] = [i + 1, j + 1];
  }
  return gaps;
}

/** Pairs of lines with equal keys: those at both ends, those that are unique, and of what is left between them a longest common subsequence. */
function pairsByKey(gap, oldKeys, newKeys) {
  const ends = [];
  let { oldFrom, oldTo, newFrom, newTo } = gap;
  while (oldFrom < oldTo && newFrom < newTo && oldKeys[oldFrom] === newKeys[newFrom]) ends.push([oldFrom++, newFrom++]);
  while (oldFrom < oldTo && newFrom < newTo && oldKeys[oldTo - 1] === newKeys[newTo - 1]) ends.push([--oldTo, --newTo]);
  const middle = { oldFrom, oldTo, newFrom, newTo };
  const unique = uniquePairs(middle, oldKeys, newKeys);
  const inner = unique.length > 0
    ? gapsBetween(middle, unique).flatMap(smaller => pairsByKey(smaller, oldKeys, newKeys))
    : commonPairs(middle, oldKeys, newKeys);
  return [...ends, ...unique, ...inner].sort((a, b) => a[0] - b[0]);
}

/** Whether matched lines use the same values, as far as their definitions say. `partners` leads from old names to new ones. */
function agrees(old, now, partners) {
  if (old.values.length !== now.values.length) return false;
  return old.values.every((name, index) => {
    const other = now.values[index];
    if (old.defined.has(name) || now.defined.has(other)) return true;
    if (!partners.has(name)) partners.set(name, other);
    return partners.get(name) === other;
  });
}

function define(old, now, partners) {
  old.values.forEach((name, index) => {
    if (old.defined.has(name)) partners.set(name, now.values[index]);
  });
}

/**
 * The rows of a comparison: `{change: 'same' | 'removed' | 'added', old, now}` with indices of lines. `old` and `now` are `{text, sources}`.
 */
function compare(old, now) {
  const [before, after] = [prepared(old), prepared(now)];
  let pairs = [];
  for (let level = 0; level < KEYS_OF_A_LINE; level += 1) {
    const oldKeys = before.map(line => line.keys[level]), newKeys = after.map(line => line.keys[level]);
    const all = { oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length };
    const more = gapsBetween(all, pairs).flatMap(gap => pairsByKey(gap, oldKeys, newKeys));
    pairs = [...pairs, ...more].sort((a, b) => a[0] - b[0]);
  }
  return rowsOf(before, after, pairs);
}

function rowsOf(before, after, pairs) {
  const rows = [];
  const partners = new Map();
  let i = 0, j = 0;
  const removed = index => {
    before[index].defined.forEach(name => partners.delete(name));
    rows.push({ change: 'removed', old: index });
  };
  for (const [oldEnd, newEnd] of [...pairs, [before.length, after.length]]) {
    for (; i < oldEnd; i += 1) removed(i);
    for (; j < newEnd; j += 1) rows.push({ change: 'added', now: j });
    if (i >= before.length || j >= after.length) continue;
    const same = agrees(before[i], after[j], partners);
    define(before[i], after[j], partners);
    if (same) rows.push({ change: 'same', old: i, now: j });
    else rows.push({ change: 'removed', old: i }, { change: 'added', now: j });
    [i, j] = [i + 1, j + 1];
  }
  return rows;
}
