// Marks every line that comes from the source line under the pointer; a click keeps the mark.
const of = line => document.querySelectorAll('[data-l="' + line + '"]');
let pinned = null;
document.addEventListener('mouseover', event => {
  document.querySelectorAll('.hot').forEach(e => e.classList.remove('hot'));
  const at = event.target.closest('[data-l]');
  if (at) of(at.dataset.l).forEach(e => e.classList.add('hot'));
});
document.addEventListener('click', event => {
  const at = event.target.closest('[data-l]');
  if (!at) return;
  document.querySelectorAll('.pin').forEach(e => e.classList.remove('pin'));
  pinned = pinned === at.dataset.l ? null : at.dataset.l;
  if (!pinned) return;
  of(pinned).forEach(e => e.classList.add('pin'));
  const other = at.closest('aside') ? 'main' : 'aside';
  const target = [...document.querySelectorAll(other + ' [data-l="' + pinned + '"]')].find(e => e.offsetParent);
  if (target) target.scrollIntoView({ block: 'center' });
});
// A double click on a difference shows the lines between the changes too.
document.querySelectorAll('.diff').forEach(diff => {
  diff.title = 'double click: all lines';
  diff.addEventListener('dblclick', () => diff.classList.toggle('all'));
});
