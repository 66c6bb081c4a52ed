/** Stores what a network has accepted before the rest of the lot is submitted: whole messages, and parts of messages. */
import type { Knex } from 'knex';
import type { SentPart } from '../../connectors/contract/connector.ts';
import type { SentParts } from '../../connectors/contract/kind.ts';
import { stateOfFound } from '../../model/states.ts';
import { createBatcher } from '../../platform/concurrency/group-commit.ts';
import { ofFew, runStatement } from '../../platform/db/statement.ts';
import type { Part } from './match-repository.ts';

export interface Submissions {
  /** For one connector. Concurrent calls share a statement. */
  partsOf: (connector: string) => SentParts;
  /** Resolves when what was accepted until now is stored: reports may be about it. */
  stored: () => Promise<void>;
}

export function createSubmissions(knex: Knex): Submissions {
  const pending = new Set<Promise<void>>();
  return {
    partsOf: (connector) => {
      const batcher = createBatcher<SentPart, void>(
        async (parts) => {
          const whole = parts.filter((part) => part.parts === 1);
          const others = parts.filter((part) => part.parts > 1);
          if (whole.length > 0) await storeSubmitted(knex, connector, whole);
          if (others.length > 0) await storeParts(knex, connector, others);
          return parts.map(() => undefined);
        },
        () => 1,
        { concurrency: 1, maxItems: 1_000, maxWeight: 1_000, gatherMs: 10 },
      );
      return {
        keep: (part) => {
          const kept = batcher.submit(part).finally(() => pending.delete(kept));
          pending.add(kept);
          return kept;
        },
        of: (messageIds) => loadSentParts(knex, connector, messageIds),
      };
    },
    stored: async () => {
      await Promise.allSettled(pending);
    },
  };
}

async function loadSentParts(
  knex: Knex,
  connector: string,
  messageIds: readonly string[],
): Promise<SentPart[]> {
  const { rows } = await knex.raw<{ rows: SentPart[] }>(
    `select message_id as "messageId", number, parts, network_id as "networkId" from message_parts
     where message_id = any(?::bigint[]) and connector = ? and number is not null order by number`,
    [[...messageIds], connector],
  );
  return rows;
}

/** The connectors whose networks have parts of these messages, by message. */
export async function ownersOfParts(
  knex: Knex,
  messages: readonly { id: string }[],
): Promise<Map<string, string>> {
  if (messages.length === 0) return new Map();
  const { rows } = await knex.raw<{ rows: { messageId: string; connector: string }[] }>(
    'select message_id as "messageId", connector from message_parts where message_id = any(?::bigint[])',
    [messages.map(({ id }) => id)],
  );
  return new Map(rows.map(({ messageId, connector }) => [messageId, connector]));
}

/**
 * Has reports on the rows of `part` looked at again; as the main statement of one that stores what they name, which
 * PostgreSQL carries out afterwards: reports are locked before parts and messages, everywhere.
 */
const lookAgain = `, waiting as materialized (
       select r.id from part, lateral (
         select id from network_reports where connector = part.connector and network_id = part."networkId" offset 0
       ) as r
       order by r.id
     ), locked as materialized (
       select r.* from waiting, lateral (
         select id, connector from network_reports where id = waiting.id for update
       ) as r
     )
     update network_reports r set next_look_at = service_now()
     from locked where r.id = locked.id and ${ofFew('locked.connector')}`;

/** Has reports looked at again that came before it was known which messages they name. */
export async function lookAgainAt(
  trx: Knex.Transaction,
  named: readonly { connector: string; networkId: string }[],
): Promise<void> {
  if (named.length === 0) return;
  await runStatement(trx, {
    name: 'look at reports again',
    text: `with part as (
       select * from unnest($1::text[], $2::text[]) as p(connector, "networkId")
     )${lookAgain}`,
    values: [named.map(({ connector }) => connector), named.map(({ networkId }) => networkId)],
  });
}

/** `part` is sorted, so that messages are locked in the order of their ids. */
export const storeSubmittedText = `with part as (
       select $1::text as connector, p.* from unnest($2::bigint[], $3::text[]) as p("messageId", "networkId")
       order by "messageId"
     ), queued as materialized (
       select part.* from part, lateral (
         select state from messages where id = part."messageId" for update
       ) as m
       where ${stateOfFound('m')} = 'Queued'
     ), submitted as (
       update messages m set state = 'Submitted', connector = queued.connector, network_id = queued."networkId",
         segments = 1, submitted_at = service_now()
       from queued where m.id = queued."messageId" and ${ofFew('queued.connector')}
     )${lookAgain}`;

/** A message that left whole needs no part: it has the network's id itself, and is submitted. */
export async function storeSubmitted(
  knex: Knex,
  connector: string,
  parts: readonly SentPart[],
): Promise<void> {
  await runStatement(knex, {
    name: 'store submitted',
    text: storeSubmittedText,
    values: [connector, parts.map(({ messageId }) => messageId), parts.map(({ networkId }) => networkId)],
  });
}

/** Stores parts that a network has, of messages that left in several. Of parts with one id the last one stays. */
export async function storeParts(knex: Knex, connector: string, parts: readonly SentPart[]): Promise<void> {
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
     )${lookAgain}`,
    { parts: JSON.stringify([...byId.values()]), connector },
  );
}

/** Stores the network's ids of the parts of our messages, and has earlier reports looked at again. */
export async function insertParts(trx: Knex.Transaction, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return;
  await trx.raw(
    `with part as (
       select * from json_to_recordset(?::json)
         as p(connector text, "networkId" text, "messageId" bigint, parts smallint)
     ), stored as (
       -- Networks use their ids again after some time: the newest message has them.
       insert into message_parts (connector, network_id, message_id, parts)
       select connector, "networkId", "messageId", parts from part order by 1, 2
       -- What a part of this message was noted for when it left stays.
       on conflict (connector, network_id) do update set
         message_id = excluded.message_id, parts = excluded.parts,
         number = case when message_parts.message_id = excluded.message_id then message_parts.number end,
         state = case when message_parts.message_id = excluded.message_id then message_parts.state end,
         created_at = service_now()
     )${lookAgain}`,
    [JSON.stringify(parts)],
  );
}

/** Deletes parts older than the given age in seconds: no more reports on them are expected. */
export async function purgeParts(knex: Knex, ageSeconds: number): Promise<void> {
  await knex.raw(
    `with old as (
       select connector, network_id from message_parts where created_at < service_now() - ? * interval '1 second'
       for update skip locked
     )
     delete from message_parts p using old where p.connector = old.connector and p.network_id = old.network_id`,
    [ageSeconds],
  );
}
