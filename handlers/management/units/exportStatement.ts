/** Gets a page of the statement of an account as CSV. */
import { csvOf } from '../../../src/manage/units/statements.ts';
import type { ManagementHandler } from '../operation.ts';
import { statementPage } from './statementPage.ts';

export const exportStatement: ManagementHandler<'exportStatement'> = async (call, management) => {
  const { statement, next } = await statementPage(call, management);
  return call.reply(200, csvOf(statement), next === undefined ? {} : { 'Next-Cursor': next });
};
