/** What a statement reads, by PostgreSQL's own account. */
import type { Knex } from 'knex';
import { runStatement } from './statement.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The row of an `explain (analyze, format json)`. */
export interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** The node of a plan, and all below it. */
export function nodesOf([row]: readonly Explained[]): PlanNode[] {
  const below = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(below)];
  if (row === undefined) throw new TypeError('no plan');
  return below(row['QUERY PLAN'][0].Plan);
}

/** Rows that a node of a plan read, those that it passed over included. */
export function rowsOf(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/** Rows of the table that the statement read. */
export function rowsRead(explained: readonly Explained[], table: string): number {
  const ofTable = nodesOf(explained).filter((node) => node['Relation Name'] === table);
  return ofTable.reduce((sum, node) => sum + rowsOf(node), 0);
}

interface Recorded {
  text: string;
  values: unknown[];
}

interface Connection {
  query: (statement: Recorded, ...rest: unknown[]) => unknown;
}

/**
 * The most rows of the table that any one statement of `work` reads. The statements run twice, once to record them and once
 * to explain them, and are rolled back both times.
 */
export async function mostRowsRead(
  knex: Knex,
  table: string,
  work: (trx: Knex.Transaction) => Promise<unknown>,
): Promise<number> {
  const recorded: Recorded[] = [];
  await rolledBack(knex, async (trx) => {
    const connection: Connection = await trx.client.acquireConnection();
    const { query } = connection;
    connection.query = (statement, ...rest) => {
      recorded.push({ text: statement.text, values: statement.values });
      return query.call(connection, statement, ...rest);
    };
    try {
      await work(trx);
    } finally {
      connection.query = query;
    }
  });
  const counts: number[] = [];
  await rolledBack(knex, async (trx) => {
    for (const { text, values } of recorded.filter(({ text }) =>
      /^\s*(with|select|update|delete|insert)\b/.test(text),
    )) {
      const explained = await runStatement<Explained>(trx, {
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      counts.push(rowsRead(explained, table));
    }
  });
  if (counts.length === 0) throw new TypeError('no statement was recorded');
  return Math.max(...counts);
}

/** Rows of the table that a statement reads whose plan was made, and kept, while nothing was stored yet. */
export async function rowsReadAsPlannedBefore(
  knex: Knex,
  table: string,
  { text, values }: { text: string; values: readonly string[] },
  store: (trx: Knex.Transaction) => Promise<unknown>,
): Promise<number> {
  const literals = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
  let read = Number.NaN;
  await rolledBack(knex, async (trx) => {
    const run = <Row>(statement: string) => runStatement<Row>(trx, { text: statement, values: [] });
    await run('set local plan_cache_mode = force_generic_plan');
    await run(`prepare kept as ${text}`);
    await run(`explain execute kept(${values.map(() => 'null').join(', ')})`);
    await store(trx);
    read = rowsRead(await run<Explained>(`explain (analyze, format json) execute kept(${literals})`), table);
    await run('deallocate kept');
  });
  return read;
}

async function rolledBack(knex: Knex, work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
  const trx = await knex.transaction();
  try {
    await work(trx);
  } finally {
    await trx.rollback();
  }
}
