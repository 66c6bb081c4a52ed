/** One row that readiness checks write again and again, to learn whether requests could be stored. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create table write_probes (
      id integer primary key check (id = 1),
      filler text not null
    );
    -- Neither compressed nor in the row: each write needs new pages, as requests do.
    alter table write_probes alter column filler set storage external;
  `);
}
