/** Erasure of everything about a phone number. */
import * as subjects from '../../src/manage/operation/subjects.ts';
import type { ManagementHandler } from './operation.ts';

/** Erases everything that is stored about a phone number. */
export const eraseSubject: ManagementHandler<'eraseSubject'> = async ({ body, reply }, management) => {
  return reply(200, await subjects.eraseSubject(management, { phone: body.phone, team: body.teamId }));
};
