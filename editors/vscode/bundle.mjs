// SPDX-License-Identifier: Apache-2.0
// Two files for VS Code: what runs in its extension host, and the script of the ranking view. `--test` also makes modules of what
// test/units/ looks at.
import { build } from "esbuild";

const common = { bundle: true, minify: true, legalComments: "none", logLevel: "warning", target: "es2022" };
await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  format: "cjs",
  external: ["vscode"],
});
await build({ ...common, entryPoints: ["src/view/ranking.ts"], outfile: "dist/ranking.js", platform: "browser", format: "iife" });
if (process.argv.includes("--test"))
  await build({
    ...common,
    entryPoints: ["src/view/sorting.ts", "src/view/scale.ts", "src/ranking/words.ts", "src/server/executable.ts"],
    outdir: "dist/units",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
  });
