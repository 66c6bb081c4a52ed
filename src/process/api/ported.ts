/** Keeps the table of ported numbers in memory: 4 bytes for each number, and no statement for a message. */
import { loadPorted, noTable, type PortedTable } from '../../products/phone/ported-repository.ts';
import type { ProcessContext } from '../context.ts';

/** Resolves to the table in use. While a new one is loaded the one before stays; only the first is waited for. */
export function createPorted({
  database: { knex },
  logger,
}: Pick<ProcessContext, 'database' | 'logger'>): () => Promise<PortedTable> {
  let table: PortedTable | undefined;
  let loading: Promise<PortedTable> | undefined;
  const load = async () => {
    table = (await loadPorted(knex, table ?? noTable)) ?? table ?? noTable;
    return table;
  };
  return async () => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    if (table === undefined) return loading;
    loading.catch((error: unknown) =>
      logger.warn({ err: error }, 'the table of ported numbers was not read'),
    );
    return table;
  };
}
