/** Writes schema.sql: the result of all migrations on an empty database (`npm run generate`). */
import { writeFileSync } from 'node:fs';
import { dumpSchema } from './schema.ts';
import { openTestDatabase } from './testing.ts';

const database = await openTestDatabase(undefined);
writeFileSync(new URL('schema.sql', import.meta.url), await dumpSchema(database.knex));
await database.close();
