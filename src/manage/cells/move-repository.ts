/** Stores which teams arrive from other cells or have left for them, and what of a team is still on its way. */
import type { Knex } from 'knex';

export interface Move {
  direction: 'arriving' | 'left';
  /** Of the other cell. */
  database: string;
}

/** Undefined: the team is at home here, or nobody knows it. */
export async function findMove(knex: Knex, team: string): Promise<Move | undefined> {
  return knex('team_moves').where({ team_id: team }).first('direction', 'database');
}

export async function storeMove(
  trx: Knex.Transaction,
  team: string,
  { direction, database }: Move,
): Promise<void> {
  const optOutsUntil = direction === 'left' ? trx.raw('service_now()') : null;
  await endMove(trx, team);
  await trx('team_moves').insert({ team_id: team, direction, database, opt_outs_until: optOutsUntil });
}

export async function endMove(trx: Knex.Transaction, team: string): Promise<void> {
  await trx('team_moves').where({ team_id: team }).delete();
}

/** The opt-outs of a team that left are the same in both cells as of this transaction. */
export async function noteOptOuts(trx: Knex.Transaction, team: string): Promise<void> {
  await trx('team_moves')
    .where({ team_id: team })
    .update({ opt_outs_until: trx.raw('service_now()') });
}

export async function secondsSinceLeft(knex: Knex, team: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: { seconds: number }[] }>(
    `select greatest(0, extract(epoch from service_clock() - created_at))::float8 as seconds from team_moves
     where team_id = ? and direction = 'left'`,
    [team],
  );
  return rows[0]?.seconds ?? 0;
}

/** The clients of the team may only do this from now on, as far as they could. Returns their ids. */
export async function limitClients(
  trx: Knex.Transaction,
  team: string,
  scopes: readonly string[],
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `update clients set scopes = coalesce(
       (select jsonb_agg(scope) from jsonb_array_elements_text(scopes) as scope where scope = any(:scopes::text[])), '[]')
     where team_id = :team returning id`,
    { team, scopes: [...scopes] },
  );
  return rows.map(({ id }) => id);
}

export async function clientIdsOf(knex: Knex, team: string): Promise<string[]> {
  return knex('clients').where({ team_id: team }).orderBy('id').pluck('id');
}

export interface Open {
  /** Waiting for their time, for a network or for its report. */
  messages: number;
  /** To be posted. */
  receipts: number;
}

/** Reads what is under way, however much is stored. */
export async function countOpen(knex: Knex, team: string): Promise<Open> {
  const { rows } = await knex.raw<{ rows: Open[] }>(
    `select (
       (select count(*) from messages where team_id = :team and state in ('Held', 'Queued', 'Sending'))
       + (select count(*) from messages where team_id = :team and (state || '') = 'Scheduled')
       + (select count(*) from messages where team_id = :team and state in ('Submitted', 'Sent'))
     )::float8 as messages,
     (select count(*) from receipts where team_id = :team and state = 'Waiting')::float8 as receipts`,
    { team },
  );
  return rows[0] ?? { messages: 0, receipts: 0 };
}

/** What the other cell must have of its own for the team: connectors of its chat-app numbers, channels of its accounts. */
export async function findNeeds(
  knex: Knex,
  team: string,
): Promise<{ connectors: string[]; channels: string[] }> {
  const connectors = await knex('chatapp_numbers as n')
    .join('chatapp_services as s', 's.id', 'n.service_id')
    .where({ team_id: team })
    .distinct('n.connector')
    .pluck<string[]>('n.connector');
  const variants = await knex('accounts')
    .where({ team_id: team, product: 'data' })
    .pluck<string[]>('variant');
  return { connectors, channels: [...new Set(variants.map((variant) => variant.split('/')[0] ?? ''))] };
}

/** Those of them that the cell lacks. */
export async function findLacking(
  knex: Knex,
  { connectors, channels }: Awaited<ReturnType<typeof findNeeds>>,
): Promise<string[]> {
  const known = {
    connector: await knex('connectors').pluck<string[]>('name'),
    channel: await knex('channels').where({ active: true }).pluck<string[]>('name'),
  };
  return [
    ...connectors.filter((name) => !known.connector.includes(name)).map((name) => `connector ${name}`),
    ...channels.filter((name) => !known.channel.includes(name)).map((name) => `channel ${name}`),
  ];
}
