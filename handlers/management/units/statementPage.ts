/** Reads the page of a statement that a call asks for. */
import type { Management } from '../../../src/manage/management.ts';
import { readStatementPage, type StatementPage } from '../../../src/manage/units/statements.ts';
import { createCursors } from '../../../src/reading/lists.ts';
import { instantOf, type ManagementCall } from '../operation.ts';

/** Both operations have the same parameters, and the cursors of one are those of the other. */
export async function statementPage(
  { path, query }: Pick<ManagementCall<'getStatement'>, 'path' | 'query'>,
  management: Management,
): Promise<{ statement: StatementPage['statement']; next: string | undefined }> {
  const { limit = 1_000, cursor, ...filter } = query;
  const team = path.teamId;
  const cursors = createCursors(await management.secrets(), 'statement', team, filter);
  const wanted = { ...filter, team, from: instantOf(filter.from), to: instantOf(filter.to) };
  const [entries, balance, hash, lastEntryId] = cursors.open(cursor) ?? [];
  const after =
    hash === undefined || lastEntryId === undefined
      ? undefined
      : { entries: Number(entries), balance: Number(balance), hash, lastEntryId };
  const { statement, next } = await readStatementPage(management, wanted, { after, limit });
  return {
    statement,
    next: next && cursors.seal([String(next.entries), String(next.balance), next.hash, next.lastEntryId]),
  };
}
