// SPDX-License-Identifier: Apache-2.0
// Measures how long XGrammar takes to compile docs/komuz.ebnf for a vocabulary, and to mask the next token.
//
//   npm install --prefix FOLDER @mlc-ai/web-xgrammar@0.1.27 gpt-tokenizer@4.0.0
//   node bench/decoder_masks.mjs FOLDER [GRAMMAR [LIMIT]]
//
// The vocabularies are r50k_base (50,257 tokens) and o200k_base (199,999). The texts are the programs of examples/ and
// stdlib/ that the compiler takes, up to LIMIT tokens of each vocabulary (4,000; 100000 are all). If a mask leaves out a
// token of a program, the script ends with status 1.
// For comparison, XGrammar's own grammar of JSON runs on a JSON text.
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { allows, tokenizer, xgrammar } from "../tests/grammar/decoders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder, path = join(root, "docs/komuz.ebnf"), limit = "4000"] = process.argv.slice(2);
const xgr = xgrammar(folder);
const load = name => import(pathToFileURL(join(resolve(folder), "node_modules/gpt-tokenizer/esm", name)).href);

const programs = ["examples", "stdlib"].flatMap(name =>
  readdirSync(join(root, name), { recursive: true })
    .filter(file => file.endsWith(".komuz"))
    .map(file => readFileSync(join(root, name, file), "utf8")));
const json = [JSON.stringify({ name: "a text", list: [1, 2.5, null, { deep: [true, "more text"] }] }, null, 2)];

async function measure(label, info, coder, compile, texts) {
  const start = performance.now();
  const compiled = await compile(await xgr.GrammarCompiler.createGrammarCompiler(info, false));
  const seconds = (performance.now() - start) / 1000;
  const times = [];
  for (const text of texts) {
    const matcher = await xgr.GrammarMatcher.createGrammarMatcher(compiled);
    for (const token of coder.encode(text)) {
      if (times.length >= Number(limit)) break;
      const before = performance.now();
      const mask = await matcher.getNextTokenBitmask();
      times.push(performance.now() - before);
      if (!allows(mask, token) || !matcher.acceptToken(token)) {
        console.log(`${label}: ${JSON.stringify(coder.decode([token]))} is masked in ${JSON.stringify(text.slice(0, 60))} …`);
        process.exitCode = 1;
        break;
      }
    }
    matcher.dispose();
  }
  times.sort((a, b) => a - b);
  const at = share => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2);
  console.log(`${label}: compiled in ${seconds.toFixed(1)} s; ${times.length} masks: median ${at(0.5)} ms, 90 % ${at(0.9)}, ` +
    `99 % ${at(0.99)}, most ${at(1)}`);
}

for (const name of ["r50k_base", "o200k_base"]) {
  const ranks = (await load(`bpeRanks/${name}.js`)).default;
  const coder = await load(`encoding/${name}.js`);
  const encoder = new TextEncoder();
  const tokens = Array.from(ranks, (token, k) => (typeof token === "string" ? encoder.encode(token) : token ?? encoder.encode(`<|${k}|>`)));
  const info = await tokenizer(xgr, tokens);
  await measure(`${name}, Komuz`, info, coder, compiler => compiler.compileGrammar(readFileSync(path, "utf8")), programs);
  await measure(`${name}, JSON`, info, coder, compiler => compiler.compileBuiltinJSONGrammar(), json);
}
