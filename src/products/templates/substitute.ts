/** Finds the placeholders of a template's text and fills them. */

const placeholder = /\{\{([A-Za-z0-9_]+)\}\}/g;
const placeholderName = /^[A-Za-z0-9_]+$/;

/** Whether a name could stand between the braces of a placeholder. */
export function isPlaceholderName(name: string): boolean {
  return placeholderName.test(name);
}

/** Names of the placeholders in a text, once each, in the order in which they first appear. */
export function placeholdersOf(content: string): string[] {
  return [...new Set(Array.from(content.matchAll(placeholder), ([, name = '']) => name))];
}

/** Fills every placeholder in one pass: what a value contains is never read as a placeholder or a pattern. */
export function substitute(content: string, valueFor: (name: string) => string): string {
  return content.replace(placeholder, (_placeholder, name: string) => valueFor(name));
}
