// SPDX-License-Identifier: Apache-2.0
// Reads tree-sitter's queries (.scm), checks that they name what the grammar has, and finds what they capture in a tree.

const kTokens = /;[^\n]*|\s+|"(?:\\.|[^"\\])*"|[()[\]]|[+*?]|[^\s()[\]"+*?]+\??/gy;

export function readQuery(text, name) {
  const tokens = [];
  kTokens.lastIndex = 0;
  while (kTokens.lastIndex < text.length) {
    const at = kTokens.lastIndex, found = kTokens.exec(text)?.[0];
    if (!found) throw new Error(`${name}: \`${text.slice(at, at + 20)}\` is no part of a query`);
    if (!/^[;\s]/.test(found)) tokens.push(found);
  }
  let at = 0;
  const expect = (what) => {
    if (tokens[at++] !== what) throw new Error(`${name}: expected ${what}, found ${tokens[at - 1]}`);
  };
  const behind = (pattern) => {
    for (;;) {
      if (/^[+*?]$/.test(tokens[at] ?? "")) ++at;
      else if (tokens[at]?.startsWith("@")) pattern.captures.push(tokens[at++].slice(1));
      else return pattern;
    }
  };
  const one = () => {
    const head = tokens[at++];
    if (head?.startsWith('"')) return behind({ string: JSON.parse(head), captures: [] });
    if (head === "[") {
      const pattern = { any: [], captures: [] };
      while (tokens[at] !== "]") pattern.any.push(one());
      ++at;
      return behind(pattern);
    }
    if (head === "_") return behind({ node: "_", fields: [], captures: [] });
    if (head !== "(") throw new Error(`${name}: a pattern does not start with ${head}`);
    if (tokens[at] === "(" || tokens[at] === "[") {
      // A pattern with what has to hold of it.
      const pattern = { ...one(), predicates: [] };
      while (tokens[at] === "(") {
        ++at;
        const words = [];
        while (tokens[at] !== ")") words.push(tokens[at++]);
        ++at;
        if (words[0] !== "#any-of?" && words[0] !== "#not-any-of?") throw new Error(`${name}: nobody knows ${words[0]}`);
        pattern.predicates.push({ isAny: words[0] === "#any-of?", capture: words[1].slice(1), values: new Set(words.slice(2).map((word) => JSON.parse(word))) });
      }
      expect(")");
      return behind(pattern);
    }
    const pattern = { node: tokens[at++], fields: [], captures: [] };
    while (tokens[at] !== ")") {
      const field = tokens[at++];
      if (!field?.endsWith(":")) throw new Error(`${name}: expected a field, found ${field}`);
      pattern.fields.push({ field: field.slice(0, -1), pattern: one() });
    }
    ++at;
    return behind(pattern);
  };
  const patterns = [];
  while (at < tokens.length) patterns.push(one());
  return patterns;
}

// Names in the patterns that the grammar does not have.
export function unknownNames(patterns, names) {
  const unknown = [];
  const look = (pattern) => {
    if (pattern.string !== undefined && !names.strings.has(pattern.string)) unknown.push(JSON.stringify(pattern.string));
    if (pattern.node !== undefined && pattern.node !== "_" && !names.nodes.has(pattern.node)) unknown.push(`(${pattern.node})`);
    for (const one of pattern.any ?? []) look(one);
    for (const { field, pattern: inner } of pattern.fields ?? []) {
      if (!names.fields.has(field)) unknown.push(`${field}:`);
      look(inner);
    }
  };
  patterns.forEach(look);
  return unknown;
}

// [{node, name}] of what a pattern captures at a node; none: it does not match.
function match(pattern, node, text) {
  let found = null;
  if (pattern.any) {
    for (const one of pattern.any) {
      found = match(one, node, text);
      if (found) break;
    }
  } else if (pattern.string !== undefined) {
    found = !node.isNamed && node.name === pattern.string ? [] : null;
  } else if (node.isNamed && (pattern.node === "_" || node.name === pattern.node)) {
    found = [];
    for (const { field, pattern: inner } of pattern.fields) {
      const child = node.children.find((one) => one.field === field && match(inner, one, text));
      if (!child) return null;
      found.push(...match(inner, child, text));
    }
  }
  if (!found) return null;
  found = [...found, ...pattern.captures.map((name) => ({ node, name }))];
  const holds = ({ capture, values, isAny }) => found.filter((one) => one.name === capture).every(({ node: one }) => values.has(text.slice(one.begin, one.end)) === isAny);
  return (pattern.predicates ?? []).every(holds) ? found : null;
}

// What is captured in a tree. Editors do not agree which of several patterns counts, so that no node may have two.
export function captures(patterns, tree, text) {
  const byNode = new Map();
  const visit = (node, visitor) => {
    visitor(node);
    for (const child of node.children) visit(child, visitor);
  };
  for (const pattern of patterns)
    for (const root of [tree, ...tree.comments])
      visit(root, (node) => {
        for (const { node: one, name } of match(pattern, node, text) ?? []) {
          if (byNode.has(one) && byNode.get(one) !== name)
            throw new Error(`\`${text.slice(one.begin, one.end)}\` is @${byNode.get(one)} and @${name}`);
          byNode.set(one, name);
        }
      });
  return [...byNode].map(([node, name]) => ({ begin: node.begin, end: node.end, name }));
}
