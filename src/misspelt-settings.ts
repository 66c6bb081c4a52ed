/** Finds variables of the environment whose names are nearly those of settings. */

/** Shorter names are near to many others: HOST to HOME. */
const shortestName = 6;
const mostEdits = 2;

/** A sentence for each of `written` that is not among `known` and resembles one that is. */
export function misspeltSettings(written: readonly string[], known: ReadonlySet<string>): string[] {
  const settings = [...known].filter((name) => name.length >= shortestName && name === name.toUpperCase());
  return written
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const near = settings.find((setting) => editsBetween(name, setting) <= mostEdits);
      return near === undefined ? [] : [`${name} is not a setting: did you mean ${near}?`];
    });
}

/** Characters to insert, delete or replace (Levenshtein); at least one more than allowed where the lengths say so. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > mostEdits) return mostEdits + 1;
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, otherCharacter] of [...other].entries())
      current.push(
        Math.min(
          (previous[column] ?? 0) + (character === otherCharacter ? 0 : 1),
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
        ),
      );
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
