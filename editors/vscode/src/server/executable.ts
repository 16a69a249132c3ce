// SPDX-License-Identifier: Apache-2.0
// Where the executable of the settings is.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, normalize, resolve } from "node:path";

export interface Surroundings {
  /** Of the workspace; none: no folder is open. */
  readonly folder: string | undefined;
  readonly path: string;
  readonly isWindows: boolean;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The file that a setting means: a name on the `PATH`, or a path. Undefined: there is none that can be run. */
export function findExecutable(setting: string, around: Surroundings): string | undefined {
  const stated = setting.trim() || "komuz";
  const written = stated.replace(/^~(?=$|[/\\])/, homedir()).replaceAll("${workspaceFolder}", around.folder ?? "");
  const names = around.isWindows && !/\.exe$/i.test(written) ? [`${written}.exe`, written] : [written];
  const isPath = /[/\\]/.test(written);
  const folders = isPath ? [around.folder ?? ""] : around.path.split(delimiter).filter((one) => one !== "");
  for (const folder of folders)
    for (const name of names) {
      const file = isAbsolute(name) ? normalize(name) : resolve(join(folder, name));
      if (isExecutable(file)) return file;
    }
  return undefined;
}
