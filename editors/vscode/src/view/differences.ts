// SPDX-License-Identifier: Apache-2.0
// What a row of the table says of its variant: the choices in which the rows differ. What all of them have would hide these.
import type { Choice, RankingRow } from "../server/protocol";

/** A hole without a name is told from others by its place. */
const keyOf = ({ hole, range: { start } }: Choice): string => `${start.line}:${start.character} ${hole}`;

function told(choices: readonly Choice[]): string {
  return choices.map(({ hole, text }) => (hole === "" ? text : `${hole} = ${text}`)).join(", ");
}

/** The words of each row, in the order of the rows. */
export function differences(rows: readonly RankingRow[]): string[] {
  const texts = new Map<string, Set<string>>(), counts = new Map<string, number>();
  for (const choice of rows.flatMap(({ choices }) => choices)) {
    const key = keyOf(choice);
    texts.set(key, (texts.get(key) ?? new Set()).add(choice.text));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const differs = (choice: Choice) => (texts.get(keyOf(choice))?.size ?? 0) > 1 || counts.get(keyOf(choice)) !== rows.length;
  return rows.map(({ choices, text }) => told(choices.filter(differs)) || text || told(choices));
}
