/** Checks that the database can store data: queries still work on a full disk or a read-only server. */
import type { Knex } from 'knex';

/** Pages that a full disk has no room for. */
const fillerCharacters = 64 * 1024;

/** Rejects when the write fails. */
export async function probeWrite(knex: Knex): Promise<void> {
  await knex.raw(
    `insert into write_probes (id, filler) values (1, repeat('x', ?))
     on conflict (id) do update set filler = excluded.filler`,
    [fillerCharacters],
  );
}
