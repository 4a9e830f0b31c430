// Words of code in colors: one expression for each language, whose groups are classes.

const MLIR_WORDS = /(?<comment>\/\/.*)|(?<string>"[^"]*")|(?<value>%[\w$.#-]+)|(?<layout>#[A-Za-z_]\w*)|(?<keyword>\b[a-z_]\w*(?:\.[a-z_]\w*)+)/g;

const WORDS = {
  source: /(?<comment>#.*)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:def|return|for|in|if|else|elif|while|import|from|as|and|or|not|is|None|True|False|lambda|with|class|assert|pass|break|continue)\b)|(?<value>\btl\.\w+)/g,
  checked: MLIR_WORDS,
  mlir: MLIR_WORDS,
  llvm: /(?<comment>;.*)|(?<string>"[^"]*")|(?<value>[%@][\w$.-]+)|(?<keyword>^\s+(?:\w+(?= )))/g,
  ptx: /(?<comment>\/\/.*)|(?<string>"[^"]*")|(?<value>%[\w$.]+)|(?<keyword>^\s*(?:@!?%p\d+\s+)?[a-z]\w*(?:[.:]+\w+)+)/g,
  sass: /(?<comment>^[0-9a-f]+ )|(?<keyword>\b[A-Z][A-Z0-9_]{2,}(?:\.[A-Z0-9_.]+)?)|(?<value>\bU?[RP]\d+\b)/g,
};

/** The text of a row as nodes: spans for words with a class, text between them. */
function words(kind, text) {
  const nodes = [];
  let at = 0;
  // Nobody reads the end of very long lines, and expressions may take long on them.
  for (const found of text.slice(0, 4000).matchAll(WORDS[kind])) {
    const [name] = Object.entries(found.groups).find(([, word]) => word !== undefined);
    if (found.index > at) nodes.push(text.slice(at, found.index));
    nodes.push(make('span', name, found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}
