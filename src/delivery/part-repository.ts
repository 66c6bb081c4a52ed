/** Records the parts of a message that a network has accepted before the rest is submitted. */
import type { Knex } from 'knex';
import { createBatcher } from '../concurrency/group-commit.ts';
import type { SentPart, SentParts } from '../connectors/contract/kind.ts';
import { lookAgain } from './report-repository.ts';

/** The parts of one connector's messages. Concurrent calls share a statement. */
export function createSentParts(knex: Knex, connector: string): SentParts {
  const batcher = createBatcher<SentPart, void>(
    async (parts) => {
      await insert(knex, connector, parts);
      return parts.map(() => undefined);
    },
    () => 1,
    { lanes: 1, maxItems: 1_000, maxWeight: 1_000 },
  );
  return {
    keep: batcher.submit,
    of: async (messageIds) => {
      const { rows } = await knex.raw<{ rows: SentPart[] }>(
        `select message_id as "messageId", number, parts, network_id as "networkId" from message_parts
         where message_id = any(?::bigint[]) and connector = ? and number is not null order by number`,
        [[...messageIds], connector],
      );
      return rows;
    },
  };
}

/** Of parts with one id the last one stays; reports that came before are looked at again. */
async function insert(knex: Knex, connector: string, parts: readonly SentPart[]): Promise<void> {
  const byId = new Map(parts.map((part) => [part.networkId, part]));
  await knex.raw(
    `with part as (
       select :connector as connector, p.* from json_to_recordset(:parts::json)
         as p("messageId" bigint, number smallint, parts smallint, "networkId" text)
     ), kept as (
       insert into message_parts (connector, network_id, message_id, parts, number)
       select connector, "networkId", "messageId", parts, number from part order by "networkId"
       on conflict (connector, network_id) do update set
         message_id = excluded.message_id, parts = excluded.parts, number = excluded.number, state = null,
         created_at = service_now()
     )
     ${lookAgain}`,
    { parts: JSON.stringify([...byId.values()]), connector },
  );
}
