// SPDX-License-Identifier: Apache-2.0
// Makes editors/web/built/ of editors/web/source/ and the packages of npm that package-lock.json names.
//
//   node editors/web/build.mjs           installs the packages into build/web, if they are not there, and writes built/
//   node editors/web/build.mjs --install installs the packages alone
//   node editors/web/build.mjs --check   writes nothing: is built/ what the sources make? 77: the packages are not installed
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const home = path.dirname(fileURLToPath(import.meta.url));
const packages = path.resolve(home, "../../build/web");
const built = path.join(home, "built");
const isCheck = process.argv.includes("--check");
const SKIPPED = 77;

const isInstalled = () => {
  try {
    return fs.readFileSync(path.join(packages, "package-lock.json"), "utf8") === fs.readFileSync(path.join(home, "package-lock.json"), "utf8") && fs.existsSync(path.join(packages, "node_modules/esbuild"));
  } catch {
    return false;
  }
};
if (!isInstalled()) {
  if (isCheck) {
    console.log("skipped: the packages of editors/web/package-lock.json are not in build/web (scripts/setup --test)");
    process.exit(SKIPPED);
  }
  fs.mkdirSync(packages, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) fs.copyFileSync(path.join(home, name), path.join(packages, name));
  const ran = spawnSync("npm", ["ci", "--prefix", packages, "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], { stdio: "inherit" });
  if (ran.status !== 0) process.exit(1);
}

if (process.argv.includes("--install")) process.exit(0);

const require = createRequire(path.join(packages, "x.js"));
const esbuild = require("esbuild");
const made = await esbuild.build({
  entryPoints: [path.join(home, "source/page.js")],
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  nodePaths: [path.join(packages, "node_modules")],
  absWorkingDir: home,
  metafile: true,
  write: false,
  logLevel: "warning",
});

// The licences of what is in it, each with the packages that it is of.
const names = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) names.add(found[1]);
}
const licences = new Map();
for (const name of [...names].sort()) {
  const folder = path.join(packages, "node_modules", name);
  const file = fs.readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (!file) throw new Error(`${name} has no licence`);
  const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const text = fs.readFileSync(path.join(folder, file), "utf8").trim().replace(/\r\n/g, "\n");
  licences.set(text, [...(licences.get(text) ?? []), `${name} ${version} (${license})`]);
}
const licenceText =
  "page.js is made of the files of editors/web/source/ (Apache-2.0, as Komuz) and of these packages of npm.\n" +
  [...licences].map(([text, of]) => `\n${"=".repeat(80)}\n${of.join("\n")}\n${"-".repeat(80)}\n${text}\n`).join("");

const source = (name) => fs.readFileSync(path.join(home, "source", name), "utf8");
const files = {
  "index.html": source("index.html"),
  "page.css": source("page.css"),
  "page.js": `// Made by editors/web/build.mjs; licences.txt says of what.\n${made.outputFiles[0].text}`,
  "licences.txt": licenceText,
};
if (!isCheck) {
  fs.mkdirSync(built, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(built, name), text);
  console.log(Object.entries(files).map(([name, text]) => `${name}: ${Buffer.byteLength(text)} bytes`).join("\n"));
} else {
  const there = fs.readdirSync(built).sort().join(" ");
  const wrong = Object.keys(files).filter((name) => !fs.existsSync(path.join(built, name)) || fs.readFileSync(path.join(built, name), "utf8") !== files[name]);
  if (wrong.length || there !== Object.keys(files).sort().join(" ")) {
    console.error(`editors/web/built is not what the sources make (${wrong.join(", ") || there}): run \`node editors/web/build.mjs\``);
    process.exit(1);
  }
  console.log("the same");
}
