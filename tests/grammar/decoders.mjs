// SPDX-License-Identifier: Apache-2.0
// Reads grammars with the decoders themselves, without a model.
//
//   node decoders.mjs llama FOLDER GRAMMAR TEXTS      llama.cpp, as node-llama-cpp ships it
//   node decoders.mjs xgrammar FOLDER GRAMMAR TEXTS   XGrammar, as @mlc-ai/web-xgrammar ships it
//
// FOLDER has the packages in its node_modules. TEXTS is a file of JSON strings, one a line; the output is for each line
// 1 if the text is a sentence of the grammar, else 0. Masks of vocabularies are asked by bench/decoder_masks.mjs.
import { readFileSync } from "node:fs";
import Module from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// The package says that it is of ES modules, but its file is not.
export function xgrammar(folder) {
  const path = join(resolve(folder), "node_modules/@mlc-ai/web-xgrammar/lib/index.js");
  const loaded = new Module(path);
  loaded.filename = path;
  loaded.paths = Module._nodeModulePaths(path);
  loaded._compile(readFileSync(path, "utf8"), path);
  return loaded.exports;
}

// Bytes as the letters that vocabularies of GPT-2's kind write for them.
const letters = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode((byte > 32 && byte < 127) || (byte > 160 && byte !== 173) ? byte : next++));
})();
export async function tokenizer(xgr, tokens) {
  const vocabulary = tokens.map(bytes => Array.from(bytes, byte => letters[byte]).join(""));
  vocabulary.push("<|endoftext|>");
  return xgr.TokenizerInfo.createTokenizerInfo(vocabulary, "byte_level", false, vocabulary.length, [tokens.length]);
}
export const allows = (mask, token) => ((mask[token >> 5] >>> (token & 31)) & 1) === 1;

async function llama(folder, grammar, texts) {
  const entry = join(resolve(folder), "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama } = await import(pathToFileURL(entry).href);
  const engine = await getLlama({ gpu: false, build: "never", progressLogs: false });
  const read = await engine.createGrammar({ grammar });
  return texts.map(text => (read._testText(text) ? 1 : 0));
}

async function whole(folder, grammar, texts) {
  const xgr = xgrammar(folder);
  const read = await xgr.Grammar.fromEBNF(grammar);
  const found = [];
  for (const text of texts) found.push((await xgr.Testings.isGrammarAcceptString(read, text)) ? 1 : 0);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [engine, folder, grammarPath, textsPath] = process.argv.slice(2);
  const texts = readFileSync(textsPath, "utf8").trimEnd().split("\n").map(line => JSON.parse(line));
  const ask = engine === "llama" ? llama : whole;
  const found = await ask(folder, readFileSync(grammarPath, "utf8"), texts);
  process.stdout.write(found.join("\n") + "\n", () => process.exit(0));
}
