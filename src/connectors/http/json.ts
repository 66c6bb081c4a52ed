/** Parses what networks write: JSON, or a form. */

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Networks do not always say which of the two they send. */
export function formOrJson(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseJson(text) : Object.fromEntries(new URLSearchParams(text));
}
