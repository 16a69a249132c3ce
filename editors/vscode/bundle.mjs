// SPDX-License-Identifier: Apache-2.0
// Two files for VS Code: what runs in its extension host, and the script of the ranking view; and the licences of what is in them.
// `--test` also makes modules of what test/units/ looks at.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const common = { bundle: true, minify: true, legalComments: "none", logLevel: "warning", target: "es2022" };
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  format: "cjs",
  external: ["vscode"],
});
await build({ ...common, entryPoints: ["src/view/ranking.ts"], outfile: "dist/ranking.js", platform: "browser", format: "iife" });
const packages = new Set(Object.keys(metafile.inputs).flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (text === undefined) throw new Error(`${folder} has no licence to be told`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, text), "utf8").trim()}\n`;
});
writeFileSync("dist/licenses.txt", `dist/extension.js has parts of these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`);

if (process.argv.includes("--test"))
  await build({
    ...common,
    entryPoints: ["src/view/sorting.ts", "src/view/differences.ts", "src/view/scale.ts", "src/ranking/words.ts", "src/server/executable.ts"],
    outdir: "dist/units",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
