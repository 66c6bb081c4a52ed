/** Tells the blocks of code in a Markdown text from the rest of it. */

/** Changes one kind of part; the other stays. The lines of the fences belong to the blocks. */
export function changeParts(text: string, kind: 'code' | 'text', change: (part: string) => string): string {
  const parts: { isCode: boolean; lines: string[] }[] = [{ isCode: false, lines: [] }];
  for (const line of text.split('\n')) {
    const part = parts.at(-1);
    const isFence = line.startsWith('```');
    if (isFence && !part?.isCode) parts.push({ isCode: true, lines: [line] });
    else part?.lines.push(line);
    if (isFence && part?.isCode) parts.push({ isCode: false, lines: [] });
  }
  return parts
    .filter(({ lines }) => lines.length > 0)
    .map(({ isCode, lines }) => (isCode === (kind === 'code') ? change(lines.join('\n')) : lines.join('\n')))
    .join('\n');
}
