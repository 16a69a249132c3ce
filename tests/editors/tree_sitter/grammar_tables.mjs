// SPDX-License-Identifier: Apache-2.0
// Makes a parser of tree-sitter's grammar.js, where tree-sitter itself is not installed: an LALR(1) table, whose conflicts are decided
// by precedence and associativity as tree-sitter does, and a lexer that asks the state which tokens may come. What tree-sitter would
// refuse, an unresolved conflict above all, is refused here, too.
import fs from "node:fs";
import { createRequire } from "node:module";
import vm from "node:vm";

// ---- The grammar as a value, as `tree-sitter generate` evaluates it ----
const rule = (one) => {
  if (typeof one === "string") return { type: "STRING", value: one };
  if (one instanceof RegExp || Object.prototype.toString.call(one) === "[object RegExp]") return { type: "PATTERN", value: one.source };
  if (one?.type) return one;
  throw new Error(`this is no rule: ${one}`);
};
const members = (list) => list.map(rule);
const seq = (...list) => ({ type: "SEQ", members: members(list) });
const choice = (...list) => ({ type: "CHOICE", members: members(list) });
const repeat1 = (one) => ({ type: "REPEAT1", content: rule(one) });
const repeat = (one) => choice(repeat1(one), { type: "BLANK" });
const optional = (one) => choice(one, { type: "BLANK" });
const withPrecedence = (side) => (number, one) => {
  const [value, content] = one === undefined ? [0, number] : [number, one];
  return { type: "PREC", side, value, content: rule(content) };
};
const prec = Object.assign(withPrecedence(null), { left: withPrecedence("left"), right: withPrecedence("right") });
const token = (one) => ({ type: "TOKEN", content: rule(one) });
const field = (name, one) => ({ type: "FIELD", name, content: rule(one) });
const alias = (one, name) => ({ type: "ALIAS", content: rule(one), value: name.type === "SYMBOL" ? name.name : name, named: name.type === "SYMBOL" });
const symbols = new Proxy({}, { get: (_, name) => ({ type: "SYMBOL", name }) });

export function readGrammar(file) {
  const module = { exports: null };
  const grammar = (given) => {
    const rules = {};
    for (const [name, make] of Object.entries(given.rules)) rules[name] = rule(make(symbols));
    return { ...given, word: given.word?.(symbols).name, extras: members(given.extras(symbols)), rules };
  };
  const known = { module, grammar, seq, choice, repeat, repeat1, optional, prec, token, field, alias, require: createRequire(file) };
  vm.runInNewContext(fs.readFileSync(file, "utf8"), known, { filename: file });
  return module.exports;
}

// ---- Tokens ----
// What a rule is as one regular expression; none: it is made of other rules.
function patternOf(one) {
  if (one.type === "STRING") return one.value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (one.type === "PATTERN") return one.value;
  if (one.type === "TOKEN" || one.type === "PREC") return patternOf(one.content);
  if (one.type === "CHOICE" || one.type === "SEQ") {
    const parts = one.members.map(patternOf);
    return parts.includes(null) ? null : `(?:${parts.join(one.type === "SEQ" ? "" : "|")})`;
  }
  return null;
}
const isToken = (one) => one.type === "PATTERN" || one.type === "TOKEN";
const precedenceOf = (one) => (one.type === "TOKEN" && one.content.type === "PREC" ? one.content.value : 0);

// ---- Productions ----
// Right sides are lists of {name, field, alias}. Names of tokens are those of rules, or a string in quotes.
class Productions {
  constructor(grammar) {
    this.grammar = grammar;
    this.list = [];
    this.tokens = new Map();
    this.made = 0;
    for (const [name, one] of Object.entries(grammar.rules)) {
      if (isToken(one)) this.addToken(name, one, false);
      else this.addRule(name, one);
    }
    this.extras = grammar.extras.map((one) => (one.type === "SYMBOL" ? one.name : this.addToken(" ", one, false)));
  }
  addToken(name, one, isAnonymous) {
    this.tokens.set(name, { name, pattern: new RegExp(`(?:${patternOf(one)})`, "y"), precedence: precedenceOf(one), isWord: isAnonymous && /^\w+$/.test(one.value ?? ""), isString: isAnonymous });
    return name;
  }
  addRule(name, one) {
    for (const alternative of this.expand(one, name)) this.list.push({ name, ...alternative });
  }
  // The alternatives of a rule, each {right, precedence, side}.
  expand(one, owner) {
    const single = (name) => [{ right: [{ name }], precedence: 0, side: null }];
    switch (one.type) {
      case "BLANK": return [{ right: [], precedence: 0, side: null }];
      case "SYMBOL":
        if (!(one.name in this.grammar.rules)) throw new Error(`${owner}: there is no rule ${one.name}`);
        return single(one.name);
      case "STRING": {
        const name = JSON.stringify(one.value);
        if (!this.tokens.has(name)) this.addToken(name, one, true);
        return single(name);
      }
      case "PATTERN":
      case "TOKEN": throw new Error(`${owner}: a pattern inside of a rule`);
      case "CHOICE": return one.members.flatMap((part) => this.expand(part, owner));
      case "SEQ":
        return one.members.reduce((before, part) => {
          const behind = this.expand(part, owner);
          return before.flatMap((a) => behind.map((b) => ({
            right: [...a.right, ...b.right],
            precedence: a.precedence || b.precedence, side: a.side ?? b.side,
          })));
        }, [{ right: [], precedence: 0, side: null }]);
      case "REPEAT1": {
        // As tree-sitter: a rule of its own, and a list is two lists.
        const name = `${owner}_repeat${++this.made}`;
        const parts = this.expand(one.content, owner);
        for (const part of parts) this.list.push({ name, ...part, isHidden: true });
        for (const part of parts) this.list.push({ name, right: [{ name }, ...part.right], precedence: part.precedence, side: part.side, isHidden: true });
        return single(name);
      }
      case "PREC": return this.expand(one.content, owner).map((part) => ({ ...part, precedence: one.value, side: one.side ?? part.side }));
      case "FIELD": return this.mark(one, owner, { field: one.name });
      case "ALIAS": return this.mark(one, owner, { alias: one.value });
      default: throw new Error(`${owner}: nobody knows ${one.type}`);
    }
  }
  mark(one, owner, marks) {
    return this.expand(one.content, owner).map((part) => ({ ...part, right: part.right.map((symbol) => ({ ...symbol, ...marks })) }));
  }
}

// ---- The table ----
const kEnd = "end of the text";

export function makeTable(grammar) {
  const productions = new Productions(grammar);
  const start = Object.keys(grammar.rules)[0];
  const list = [{ name: "start", right: [{ name: start }], precedence: 0, side: null }, ...productions.list];
  const byName = new Map();
  list.forEach((one, index) => byName.set(one.name, [...(byName.get(one.name) ?? []), index]));
  const isRule = (name) => byName.has(name);
  const nullable = new Set(), first = new Map([...byName.keys()].map((name) => [name, new Set()]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const { name, right } of list) {
      let allNullable = true;
      for (const symbol of right) {
        const set = first.get(name), size = set.size;
        for (const one of isRule(symbol.name) ? first.get(symbol.name) : [symbol.name]) set.add(one);
        changed ||= set.size !== size;
        if (!nullable.has(symbol.name)) { allNullable = false; break; }
      }
      if (allNullable && !nullable.has(name)) { nullable.add(name); changed = true; }
    }
  }
  // Items are production * 64 + dot; a state has the lookaheads of each. States of the same items are one (LALR).
  const closure = (kernel) => {
    const items = new Map([...kernel].map(([item, ahead]) => [item, new Set(ahead)]));
    const work = [...items.keys()];
    while (work.length) {
      const item = work.pop(), { right } = list[item >> 6], dot = item & 63;
      if (dot >= right.length || !isRule(right[dot].name)) continue;
      const ahead = new Set();
      let k = dot + 1;
      for (; k < right.length; ++k) {
        for (const one of isRule(right[k].name) ? first.get(right[k].name) : [right[k].name]) ahead.add(one);
        if (!nullable.has(right[k].name)) break;
      }
      if (k >= right.length) for (const one of items.get(item)) ahead.add(one);
      for (const production of byName.get(right[dot].name)) {
        const next = production << 6;
        const set = items.get(next) ?? new Set(), size = set.size, isNew = !items.has(next);
        for (const one of ahead) set.add(one);
        items.set(next, set);
        if (isNew || set.size !== size) work.push(next);
      }
    }
    return items;
  };
  const states = [], byKey = new Map(), queue = [];
  const stateOf = (kernel) => {
    const key = [...kernel.keys()].sort((a, b) => a - b).join(" ");
    let number = byKey.get(key);
    if (number === undefined) {
      number = states.length;
      byKey.set(key, number);
      states.push({ kernel, go: new Map() });
      queue.push(number);
      return number;
    }
    const before = states[number].kernel;
    let grew = false;
    for (const [item, ahead] of kernel) for (const one of ahead) if (!before.get(item).has(one)) { before.get(item).add(one); grew = true; }
    if (grew && !queue.includes(number)) queue.push(number);
    return number;
  };
  stateOf(new Map([[0, new Set([kEnd])]]));
  while (queue.length) {
    const state = states[queue.shift()];
    state.items = closure(state.kernel);
    const moves = new Map();
    for (const [item, ahead] of state.items) {
      const { right } = list[item >> 6], dot = item & 63;
      if (dot >= right.length) continue;
      const move = moves.get(right[dot].name) ?? new Map();
      move.set(item + 1, new Set(ahead));
      moves.set(right[dot].name, move);
    }
    for (const [name, kernel] of moves) state.go.set(name, stateOf(kernel));
  }
  const conflicts = [];
  for (const state of states) {
    state.act = new Map();
    for (const [name, next] of state.go) if (!isRule(name)) state.act.set(name, { shift: next });
    const reductions = new Map();
    for (const [item, ahead] of state.items) {
      const production = list[item >> 6];
      if ((item & 63) < production.right.length) continue;
      for (const one of ahead) reductions.set(one, [...(reductions.get(one) ?? []), item >> 6]);
    }
    for (const [name, all] of reductions) decide(list, first, state, name, all, conflicts);
  }
  return { productions, list, states, conflicts, byName };
}

// What a state does at a token where it might reduce.
function decide(list, first, state, name, reductions, conflicts) {
  const best = Math.max(...reductions.map((one) => list[one].precedence));
  const left = reductions.filter((one) => list[one].precedence === best);
  const what = (one) => `${list[one].name} → ${list[one].right.map((symbol) => symbol.name).join(" ")}`;
  if (left.length > 1) conflicts.push(`at ${name}: ${left.map(what).join(" | ")}`);
  const reduce = { reduce: left[0] };
  const shift = state.act.get(name);
  if (!shift) return state.act.set(name, reduce);
  // The precedences of what the shift goes on with.
  const goesOn = (item) => {
    const symbol = list[item >> 6].right[item & 63];
    return symbol && (item & 63) > 0 && (symbol.name === name || first.get(symbol.name)?.has(name));
  };
  const shifts = [...state.items.keys()].filter(goesOn).map((item) => list[item >> 6].precedence);
  const most = Math.max(0, ...shifts), least = Math.min(...(shifts.length ? shifts : [0]));
  if (best > most) return state.act.set(name, reduce);
  if (best < least) return undefined;
  if (best === most && best === least) {
    const { side } = list[left[0]];
    if (side === "left") return state.act.set(name, reduce);
    if (side === "right") return undefined;
  }
  conflicts.push(`at ${name}: shift, or ${left.map(what).join(" | ")}`);
  return undefined;
}

// ---- Parsing ----
// The tree of a text: {name, begin, end, children, field, isNamed}. Throws where the text is none of the grammar.
export function parse(table, grammar, text) {
  const { productions, list, states } = table;
  const all = [...productions.tokens.values()];
  const extras = new Set(productions.extras);
  const word = productions.tokens.get(grammar.word);
  const next = (at, act) => {
    let best = null;
    for (const token of all) {
      if (token.isWord || !(act.has(token.name) || extras.has(token.name))) continue;
      token.pattern.lastIndex = at;
      const length = token.pattern.exec(text)?.[0].length ?? 0;
      if (length === 0) continue;
      const rank = [token.precedence, length, token.isString ? 1 : 0];
      if (!best || rank[0] > best.rank[0] || (rank[0] === best.rank[0] && (rank[1] > best.rank[1] || (rank[1] === best.rank[1] && rank[2] > best.rank[2]))))
        best = { name: token.name, end: at + length, rank };
    }
    // A word is a keyword where one may stand.
    word.pattern.lastIndex = at;
    const read = word.pattern.exec(text)?.[0];
    if (read && act.has(JSON.stringify(read))) return { name: JSON.stringify(read), end: at + read.length };
    return best;
  };
  const stack = [{ state: 0, node: null }];
  const comments = [];
  let at = 0;
  for (;;) {
    const { act } = states[stack.at(-1).state];
    const found = at < text.length ? next(at, act) : { name: kEnd, end: at };
    if (!found) throw new Error(`at ${at}: \`${text.slice(at, at + 30)}\` cannot stand here`);
    if (extras.has(found.name)) {
      if (found.name !== " ") comments.push({ name: found.name, begin: at, end: found.end, children: [], isNamed: true });
      at = found.end;
      continue;
    }
    const action = act.get(found.name);
    if (!action) throw new Error(`at ${at}: \`${text.slice(at, at + 30)}\` cannot stand here`);
    if (action.shift !== undefined) {
      const isNamed = !found.name.startsWith('"');
      stack.push({ state: action.shift, node: { name: isNamed ? found.name : JSON.parse(found.name), begin: at, end: found.end, children: [], isNamed } });
      at = found.end;
      continue;
    }
    const production = list[action.reduce];
    if (production.name === "start") return { ...stack.at(-1).node, comments };
    const parts = production.right.length ? stack.splice(-production.right.length) : [];
    const children = parts.flatMap(({ node }, index) => {
      const { field: name, alias: other } = production.right[index];
      // Hidden rules leave their children behind.
      const nodes = node.isHidden ? node.children : [other ? { ...node, name: other, isNamed: true } : node];
      const renamed = node.isHidden && other ? nodes.map((one) => ({ ...one, name: other, isNamed: true })) : nodes;
      return name ? renamed.map((one) => ({ ...one, field: one.field ?? name })) : renamed;
    });
    const node = {
      name: production.name, begin: children[0]?.begin ?? at, end: children.at(-1)?.end ?? at, children,
      isNamed: true, isHidden: production.isHidden || production.name.startsWith("_"),
    };
    stack.push({ state: states[stack.at(-1).state].go.get(production.name), node });
  }
}
