/** Statements of accounts: a page as JSON or CSV. */
import type { Management } from '../../src/manage/management.ts';
import { csvOf, readStatementPage, type StatementPage } from '../../src/manage/units/statements.ts';
import { createCursors } from '../../src/read/lists.ts';
import { instantOf, type ManagementCall, type ManagementHandler, wire } from './operation.ts';

/** Gets a page of the statement of an account. */
export const getStatement: ManagementHandler<'getStatement'> = async (call, management) => {
  const { statement, next } = await statementPage(call, management);
  return call.reply(200, wire({ ...statement, next }));
};

/** Gets a page of the statement of an account as CSV. */
export const exportStatement: ManagementHandler<'exportStatement'> = async (call, management) => {
  const { statement, next } = await statementPage(call, management);
  return call.reply(200, csvOf(statement), next === undefined ? {} : { 'Next-Cursor': next });
};

/** Both operations have the same parameters, and the cursors of one are those of the other. */
async function statementPage(
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
