/** Fills the tables that grow: repeats what the service itself has stored, until there are as many messages as asked for. */
import type { Knex } from 'knex';
import { sealLedgers } from '../../src/ledger/seal-repository.ts';
import { openSecrets } from '../../src/process/secret-key.ts';
import { secretKey } from './parts/secret-key.ts';

/** Rows that remain when messages are done; tables that do not exist are left out. */
const tables = ['requests', 'messages', 'message_parts', 'receipts', 'ledger_entries', 'idempotency_keys'];
/** The copies are spread over the days for which the service looks back. */
const hoursBack = 72;
const copiesPerStatement = 100;

/** Of the messages: as many again wait for their time, and as many numbers have opted out. */
const waitingShare = 0.1;
const anyRequest = `(select * from requests where send_at is null order by id limit 1) as r`;
const scheduledId = `md5('scheduled ' || n)::uuid`;
/** The copies of those that were made before are up to three days earlier. */
const sendAt = `service_now() + interval '10 days' + n % 86400 * interval '1 second'`;
const scheduled = {
  requests: `
    insert into requests (id, team_id, client_id, operation, resource_id, sender, category, send_at)
    select ${scheduledId}, team_id, client_id, operation, resource_id, sender, category, ${sendAt}
    from ${anyRequest}, generate_series(1, :count::integer) n
    where not exists (select from requests where send_at is not null)`,
  messages: `
    insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, send_at)
    select ${scheduledId}, m.team_id, 0, product, channel, '+25472' || lpad(n::text, 7, '0'), content, 0, 'Scheduled', ${sendAt}
    from (select * from messages where state <> 'Scheduled' order by id limit 1) as m, generate_series(1, :count::integer) n
    where not exists (select from messages where send_at is not null)`,
};
const optOuts = `
  insert into opt_outs (phone_hash, phone, product, team_id, target, source)
  select '#' || md5('opted out ' || n), '+25473' || lpad(n::text, 7, '0'), 'sms', r.team_id, 'MARKETING', 'Operator'
  from ${anyRequest}, generate_series(1, :count::integer) n on conflict do nothing`;

/**
 * Copies every finished message, with all that belongs to it, until the table of messages has `wanted` rows. The
 * copies have ids, network ids and times of their own, and differ in nothing else. A tenth as many messages wait for their time,
 * and a tenth as many numbers have opted out.
 */
export async function growHistory(knex: Knex, wanted: number): Promise<void> {
  const [{ stored }] = await rowsOf<{ stored: number }>(
    knex,
    'select count(*)::integer as stored from messages',
  );
  if (stored === 0) throw new Error('history is made of messages, and there are none');
  const copies = Math.floor((wanted - stored) / stored);
  // Larger than any id, so that each copy has ids of its own in all tables.
  let stride = 1;
  for (const table of tables) {
    if (!(await columnsOf(knex, table)).some(isNumberedId)) continue;
    const [{ last }] = await rowsOf<{ last: string | null }>(knex, `select max(id) as last from ${table}`);
    stride = Math.max(stride, Number(last) + 1);
  }
  await knex.transaction(async (trx) => {
    await trx.raw('set local synchronous_commit = off');
    // Foreign keys need no check: the copies refer to what the originals refer to.
    await trx.raw('set local session_replication_role = replica');
    await trx.raw(`set local maintenance_work_mem = '1GB'`);
    for (const table of tables) {
      const rebuild = await dropIndexes(trx, table);
      await copyTable(trx, table, copies, stride);
      const isFirst = table === 'requests' || table === 'messages';
      if (isFirst) await trx.raw(scheduled[table], { count: Math.floor(wanted * waitingShare) });
      for (const statement of rebuild) await trx.raw(statement);
    }
  });
  await knex.raw(optOuts, { count: Math.floor(wanted * waitingShare) });
  await catchUp(knex);
  // Or autovacuum would find all of it to do while the benchmark measures.
  for (const table of [...tables, 'ledger_seals', 'opt_outs'])
    if ((await columnsOf(knex, table)).length > 0) await knex.raw(`vacuum (analyze) ${table}`);
  await knex.raw('checkpoint');
}

/** Millions of rows go into a table without indexes first. Returns the statements that make the indexes again. */
async function dropIndexes(trx: Knex, table: string): Promise<string[]> {
  const indexes = await rowsOf<{ name: string; definition: string; constraint: string | null }>(
    trx,
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
       (select pg_get_constraintdef(oid) from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
         as constraint
     from pg_index i where i.indrelid = to_regclass('${table}')`,
  );
  for (const { name, constraint } of indexes)
    await trx.raw(
      constraint === null ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`,
    );
  return indexes.map(({ name, definition, constraint }) =>
    constraint === null ? definition : `alter table ${table} add constraint ${name} ${constraint}`,
  );
}

/** What the chores of a running service would have done by now: history is sealed and counted. */
export async function catchUp(knex: Knex): Promise<void> {
  const key = await openSecrets({ secretKey, dataDirectory: '.' }, knex);
  while (await sealLedgers(knex, key));
  await knex.raw(
    `update count_progress set message_id = newest.id, accepted_at = service_now()
     from (select max(id) as id from messages) as newest`,
  );
}

async function copyTable(trx: Knex, table: string, copies: number, stride: number): Promise<void> {
  const columns = await columnsOf(trx, table);
  if (columns.length === 0) return;
  await trx.raw(`create temporary table original on commit drop as select * from ${table}`);
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map(({ name, type }) => copied(name, type, stride)).join(', ');
  for (let from = 1; from <= copies; from += copiesPerStatement)
    await trx.raw(
      `insert into ${table} (${names}) overriding system value
       select ${values} from original, generate_series(${from}::bigint, ${Math.min(from + copiesPerStatement - 1, copies)}) as copy`,
    );
  await trx.raw('drop table original');
  if (columns.some(isNumberedId))
    await trx.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
}

/** What a column of copy number `copy` holds. */
function copied(name: string, type: string, stride: number): string {
  if (type === 'bigint' && (name === 'id' || name === 'message_id')) return `${name} + copy * ${stride}`;
  if (type === 'uuid' && (name === 'id' || name === 'request_id'))
    return `md5(${name}::text || ' ${stride} ' || copy)::uuid`;
  if (name === 'network_id' || name === 'key') return `${name} || '-${stride}-' || copy`;
  if (type === 'timestamp with time zone')
    return `${name} - (copy % 997) * interval '${(hoursBack * 3600) / 997} seconds'`;
  return name;
}

interface Column {
  name: string;
  type: string;
}

const isNumberedId = ({ name, type }: Column) => name === 'id' && type === 'bigint';

function columnsOf(knex: Knex, table: string): Promise<Column[]> {
  return rowsOf(
    knex,
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = current_schema() and table_name = '${table}' and is_generated = 'NEVER'`,
  );
}

async function rowsOf<Row>(knex: Knex, query: string): Promise<Row[] & [Row]> {
  const { rows } = await knex.raw<{ rows: Row[] & [Row] }>(query);
  return rows;
}
