/** Numbers that moved to another network with their prefix. */
import * as ported from '../../src/manage/networks/ported-numbers.ts';
import { createCursors } from '../../src/read/lists.ts';
import { type ManagementHandler, wire } from './operation.ts';

/** Takes a part of a table of ported numbers. */
export const importPortedNumbers: ManagementHandler<'importPortedNumbers'> = async (
  { body, reply },
  management,
) => reply(200, wire(await ported.importPart(management, body)));

/** Shows which table of ported numbers is in use, and how far imports are. */
export const getPortedNumbers: ManagementHandler<'getPortedNumbers'> = async ({ reply }, management) =>
  reply(200, wire(await ported.shown(management)));

/** Gets a page of the ported numbers as CSV. */
export const exportPortedNumbers: ManagementHandler<'exportPortedNumbers'> = async (
  { query: { limit = 10_000, cursor }, reply },
  management,
) => {
  const cursors = createCursors(await management.secrets(), 'ported numbers', '', {});
  const [after] = cursors.open(cursor) ?? [];
  const numbers = await ported.exported(management, { after, limit: limit + 1 });
  const page = numbers.slice(0, limit);
  const last = page.at(-1);
  const lines = page.map(({ phone, channel }) => `${phone},${channel}`);
  const text = `${['number,channel', ...lines].join('\n')}\n`;
  return reply(
    200,
    text,
    numbers.length > limit && last !== undefined ? { 'Next-Cursor': cursors.seal([last.phone]) } : {},
  );
};
