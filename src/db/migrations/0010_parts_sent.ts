/** Which part of its message a network's id stands for: a hand-over that was interrupted goes on after the last one. */
import type { Knex } from 'knex';

export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    -- Null where the network was not given the parts one by one.
    alter table message_parts add column number smallint;
    drop index message_parts_of_message;
    create index message_parts_of_message on message_parts (message_id);
  `);
}
