/** Finds the files of an empty database that `npm ci` has kept (bin/empty-database.js). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of their archive; undefined if there is none, as after `npm ci --ignore-scripts`. */
export function emptyDatabaseFiles(): string | undefined {
  const project = join(import.meta.dirname, '../../../..');
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const version: string = dependencies['@electric-sql/pglite'];
  const file = join(project, 'vendor/pglite', `empty-${version}.tar.gz`);
  return existsSync(file) ? file : undefined;
}
