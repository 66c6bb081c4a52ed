/** The audit log. */

import * as audit from '../../src/manage/audit.ts';
import type { AuditEntry } from '../../src/manage/audit-repository.ts';
import { listedTeam } from '../../src/manage/resource.ts';
import { instantOf, type ManagementHandler, type Part, pageOf } from './operation.ts';

/** Lists changes, newest first. */
export const listAuditEntries: ManagementHandler<'listAuditEntries'> = async (
  { query, reply },
  management,
) => {
  const { teamId, noun, id: nounId, actor, from, to } = query;
  const team = await listedTeam(management, teamId);
  const filter = { team, noun, nounId, actor, from: instantOf(from), to: instantOf(to) };
  const read = async ({ after: before, limit }: Part) =>
    (await audit.listAudit(management, { ...filter, before, limit })).map(written);
  return reply(200, await pageOf('listAuditEntries', query, management, read, ({ id }) => id));
};

function written({ actorKind, actorName, before, after, ...entry }: AuditEntry) {
  return {
    ...entry,
    actor: { kind: actorKind, name: actorName },
    before: before && { ...before },
    after: after && { ...after },
  };
}
