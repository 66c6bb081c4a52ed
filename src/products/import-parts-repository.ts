/** Files that come in parts: each part is stored once, and the first faulty lines are kept. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';

/** What became of a part: `taken` before with the same text, or `other`: the file or this part of it is another one. */
export type PartOutcome = 'stored' | 'taken' | 'other';

export interface FaultyLine {
  part: number;
  line: number;
}

/** The columns that say which part it is. */
interface PartColumns {
  import_id: string;
  part: number;
  digest: string;
}

/**
 * In a transaction. `file`: the columns of its import, which its first part adds, with those of `added`. `store` keeps a part
 * that has not come before.
 */
export async function storeOnce(
  trx: Knex.Transaction,
  kind: 'opt_out' | 'ported',
  { file, added, part, text }: { file: object; added?: object; part: number; text: string },
  store: (columns: PartColumns) => Promise<void>,
): Promise<PartOutcome> {
  const imports = `${kind}_imports`;
  await trx(imports)
    .insert({ ...file, ...added })
    .onConflict()
    .ignore();
  const [same] = await trx(imports).where(file).forUpdate().select('id');
  if (same === undefined) return 'other';
  const digest = createHash('sha256').update(text).digest('base64url');
  const place = { import_id: same.id, part };
  const [before] = await trx(`${kind}_import_parts`).where(place).select('digest');
  if (before !== undefined) return before.digest === digest ? 'taken' : 'other';
  await store({ ...place, digest });
  return 'stored';
}

export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);

export const isWritten = (line: string): boolean => line.trim() !== '';

const mostProblems = 100;

/** SQL, with `faultyValues`: counts faulty lines of an import and keeps the first 100. */
export const addFaulty = `invalid = invalid + :invalid,
  problems = jsonb_path_query_array(problems || :problems::jsonb, '$[0 to ${mostProblems - 1}]')`;

export const faultyValues = (lines: readonly FaultyLine[]) => ({
  invalid: lines.length,
  problems: JSON.stringify(lines.slice(0, mostProblems)),
});
