/** The difference between two texts, word by word. */
import { type Html, html } from '../../docs/render/html.ts';

export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** In the order of both texts: as many of their words as possible stay. */
export function differenceOf(before: string, after: string): Piece[] {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  const lengths = commonLengths(old, fresh);
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [one, other] = [old[i], fresh[j]];
    if (one !== undefined && one === other) {
      add('same', one);
      i += 1;
      j += 1;
    } else if (
      one !== undefined &&
      (other === undefined || lengthAt(lengths, i + 1, j) >= lengthAt(lengths, i, j + 1))
    ) {
      add('gone', one);
      i += 1;
    } else {
      add('new', other ?? '');
      j += 1;
    }
  }
  return pieces;
}

const wordsOf = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];

/** How many words both have in common from each pair of places on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] as number[];
      row[j] =
        old[i] === fresh[j]
          ? lengthAt(lengths, i + 1, j + 1) + 1
          : Math.max(lengthAt(lengths, i + 1, j), lengthAt(lengths, i, j + 1));
    }
  }
  return lengths;
}

const lengthAt = (lengths: readonly (readonly number[])[], i: number, j: number) => lengths[i]?.[j] ?? 0;

/** Both texts, each with what the other lacks. */
export function showDifference(
  [beforeName, before]: readonly [name: string, text: string],
  [afterName, after]: readonly [name: string, text: string],
): Html {
  const pieces = differenceOf(before, after);
  const side = (kind: 'gone' | 'new') =>
    pieces.map((piece) => {
      if (piece.kind === 'same') return piece.text;
      if (piece.kind !== kind) return '';
      return kind === 'gone' ? html`<del>${piece.text}</del>` : html`<ins>${piece.text}</ins>`;
    });
  return html`<dl class="difference"><dt>${beforeName}</dt><dd dir="auto">${side('gone')}</dd><dt>${afterName}</dt><dd dir="auto">${side('new')}</dd></dl>`;
}
