/** Erases everything that is stored about a phone number. */
import { eraseSubject as erase } from '../../../src/manage/operation/subjects.ts';
import type { ManagementHandler } from '../operation.ts';

export const eraseSubject: ManagementHandler<'eraseSubject'> = async ({ body, reply }, management) => {
  return reply(200, await erase(management, { phone: body.phone, team: body.teamId }));
};
