/** Folds the third-level sections of a page, so that what a reader looks for is a click away instead of many screens. */

/** A block of a page. */
export interface Part {
  html: string;
  /** Of a heading. */
  depth?: number;
}

/** Below a second-level heading, the first section stays open, or both if there are two; below the last, none. */
export function withFolds(parts: readonly Part[]): string {
  const [opening = [], ...chapters] = cutAt(parts, 2);
  return [
    htmlOf(opening),
    ...chapters.map((chapter, place) => foldChapter(chapter, place < chapters.length - 1)),
  ].join('');
}

function foldChapter(chapter: readonly Part[], mayBeOpen: boolean): string {
  const [opening = [], ...sections] = cutAt(chapter, 3);
  const opened = mayBeOpen ? (sections.length === 2 ? 2 : 1) : 0;
  const folded = sections.map(
    ([heading, ...body], place) =>
      `<details class="fold"${place < opened ? ' open' : ''}><summary>${heading?.html.trim()}</summary>\n${htmlOf(body)}</details>\n`,
  );
  return htmlOf(opening) + folded.join('');
}

/** What is before the first heading of this depth, and each heading with what follows it. */
function cutAt(parts: readonly Part[], depth: number): Part[][] {
  const pieces: Part[][] = [[]];
  for (const part of parts) {
    if (part.depth === depth) pieces.push([part]);
    else pieces.at(-1)?.push(part);
  }
  return pieces;
}

function htmlOf(parts: readonly Part[]): string {
  return parts.map(({ html }) => html).join('');
}
