/** Opt-outs of teams and of the platform. */
import * as optOuts from '../../src/manage/messaging/opt-out-lists.ts';
import { sliceOf } from '../../src/read/page.ts';
import { type ManagementHandler, type Part, pageOf, pageOfSlices, wire } from './operation.ts';

/** Lists opt-outs, newest first. */
export const listOptOuts: ManagementHandler<'listOptOuts'> = async ({ query, reply }, management) => {
  const { teamId: team, phone } = query;
  const read = (part: Part) => optOuts.listed(management, { team, phone, ...part });
  return reply(200, await pageOf('listOptOuts', query, management, read, ({ id }) => id));
};

/** Adds numbers that want no more messages. */
export const addOptOuts: ManagementHandler<'addOptOuts'> = async ({ body, reply }, management) =>
  reply(200, await optOuts.add(management, body));

/** Removes numbers that want messages again. */
export const removeOptOuts: ManagementHandler<'removeOptOuts'> = async ({ body, reply }, management) =>
  reply(200, await optOuts.remove(management, body));

/** Takes a part of a file with numbers. */
export const importOptOuts: ManagementHandler<'importOptOuts'> = async ({ body, reply }, management) =>
  reply(200, wire(await optOuts.importPart(management, body)));

/** Lists imports, by name. */
export const listOptOutImports: ManagementHandler<'listOptOutImports'> = async (
  { query, reply },
  management,
) => {
  const page = await pageOfSlices('listOptOutImports', query, management, async ({ after, limit }) => {
    const [id, teamId = ''] = after ?? [];
    const rows = await optOuts.listedImports(management, {
      team: query.teamId,
      after: id === undefined ? undefined : { id, teamId },
      limit: limit + 1,
    });
    return sliceOf(rows, limit, wire, (one) => [one.id, one.teamId ?? '']);
  });
  return reply(200, page);
};

/** Shows how far an import is. */
export const getOptOutImport: ManagementHandler<'getOptOutImport'> = async (
  { path, query, reply },
  management,
) => reply(200, wire(await optOuts.showImport(management, path.importId, query.teamId)));
