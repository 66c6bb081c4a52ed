/** Gets a page of the statement of an account. */
import type { ManagementHandler } from '../operation.ts';
import { statementPage } from './statementPage.ts';

export const getStatement: ManagementHandler<'getStatement'> = async (call, management) => {
  const { statement, next } = await statementPage(call, management);
  return call.reply(200, next === undefined ? statement : { ...statement, next });
};
