/** Suggests the known name that an unknown one was meant to be. */

/** Shorter names are near to many others: HOST to HOME. */
const shortestName = 6;
const mostEdits = 2;
/** From so many characters on. */
const longName = 9;

/** Of the known names the first that a name resembles; undefined: none. */
export function meantBy(name: string, known: Iterable<string>): string | undefined {
  for (const one of known) if (one.length >= shortestName && resembles(name, one)) return one;
  return undefined;
}

/** A name that goes on with another word, such as messageId, is no misspelling of message, nor is scheduled of schedule. */
function resembles(name: string, known: string): boolean {
  const rest = name.startsWith(known) ? name.slice(known.length) : '';
  if (known.length < longName) return rest === '' && editsBetween(name, known) <= 1;
  return !/^(_|[A-Z][a-z])/.test(rest) && editsBetween(name, known) <= mostEdits;
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
