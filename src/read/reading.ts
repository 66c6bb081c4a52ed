/** What reading needs: the database, the time, and the keys under which cursors are sealed. */
import type { Knex } from 'knex';
import type { Secrets } from '../clients/secrets.ts';
import type { Clock } from '../platform/clock.ts';

export interface Reading {
  knex: Knex;
  clock: Clock;
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>;
}
