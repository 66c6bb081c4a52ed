/** What reading needs: the database, the time, and the keys under which cursors are sealed. */
import type { Knex } from 'knex';
import type { Clock } from '../platform/clock.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

export interface Reading {
  knex: Knex;
  clock: Clock;
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
}
