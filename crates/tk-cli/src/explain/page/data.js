'use strict';
// The facts of the page, and what is unpacked of them when it is asked for. crates/tk-cli/src/explain/facts.rs says what they are.

const facts = JSON.parse(document.getElementById('data').textContent);

/** Base64 of gzip of JSON, back to what it was. */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** The lines of a form, `{text, sources}`: unpacked once. A form that changed nothing has those of the form before it. */
function linesOf(kernel, index) {
  let at = index;
  while (!kernel.forms[at].changed) at -= 1;
  const form = kernel.forms[at];
  form.lines ??= unpack(form.packed);
  return form.lines;
}

/** The index of the last form of a kind, or -1. */
function lastOf(kernel, kind) {
  return kernel.forms.findLastIndex(form => form.kind === kind);
}

/** Everything of a list whose `line` is this one. */
function ofLine(list, line) {
  return list.filter(item => item.line === line);
}

/** A new element with a class and children, which are elements or text. Text of files becomes text nodes and nothing else. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
