// SPDX-License-Identifier: Apache-2.0
import { equal } from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { findExecutable } from "../../dist/units/server/executable.mjs";

const top = mkdtempSync(join(tmpdir(), "komuz_executable_"));
after(() => rmSync(top, { recursive: true }));
const program = join(top, "bin", "komuz");
mkdirSync(join(top, "bin"));
writeFileSync(program, "");
chmodSync(program, 0o755);
writeFileSync(join(top, "komuz"), "");
const around = { folder: top, path: `${top}:${join(top, "bin")}`, isWindows: false };

test("a name is looked for on the PATH, past files that cannot be run", () => equal(findExecutable("komuz", around), program));
test("nothing stated means komuz", () => equal(findExecutable("  ", around), program));
test("a path may begin at the workspace", () => {
  equal(findExecutable("bin/komuz", around), program);
  equal(findExecutable("${workspaceFolder}/bin/komuz", around), program);
  equal(findExecutable(program, { ...around, folder: undefined }), program);
});
test("a tilde is the home folder", () => equal(findExecutable(`~/${relative(homedir(), program)}`, around), program));
test("folders, files that cannot be run and what is not there are none", () => {
  equal(findExecutable("./bin", around), undefined);
  equal(findExecutable("./komuz", around), undefined);
  equal(findExecutable("other", around), undefined);
});
