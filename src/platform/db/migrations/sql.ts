/** A migration that runs files of SQL. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Knex } from 'knex';

export interface Migration {
  up: (trx: Knex) => Promise<void>;
  /** SHA-256 of all that it runs, in hex: a released migration is never edited. */
  digest: () => string;
}

/** `files` of this folder, in order. */
export function sqlMigration(...files: readonly string[]): Migration {
  const textOf = (file: string) =>
    readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll('\r\n', '\n');
  return {
    up: async (trx) => {
      for (const file of files) {
        // Knex would take a bare question mark for a binding.
        await trx.raw(textOf(file).replaceAll('?', '\\?'));
      }
    },
    digest: () => createHash('sha256').update(files.map(textOf).join('\n')).digest('hex'),
  };
}
