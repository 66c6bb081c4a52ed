/** How the texts and the code of the clients are laid out in lines. */

/** The text in lines of at most 105 characters, each after the indent. */
export function inLines(text: string, indent: string): string {
  const lines = [''];
  for (const word of text.trim().split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (`${indent}${line} ${word}`.length > 105) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join(`\n${indent}`);
}

/** Code on one line of at most 110 characters, or with a line for each part. */
export function broken(indent: string, before: string, parts: readonly string[], after: string): string {
  const line = `${indent}${before}${parts.join(', ')}${after}`;
  if (line.length <= 110) return line;
  return `${indent}${before}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${after}`;
}
