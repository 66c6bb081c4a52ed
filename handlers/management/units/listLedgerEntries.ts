/** Lists the ledger entries of a team, newest first. */
import { listLedger as list } from '../../../src/manage/units/accounts.ts';
import { instantOf, type ManagementHandler, type Part, pageOf } from '../operation.ts';

export const listLedgerEntries: ManagementHandler<'listLedgerEntries'> = async (
  { path, query, reply },
  management,
) => {
  const { teamId: team } = path;
  const { product, variant, from, to } = query;
  const filter = { team, product, variant, from: instantOf(from), to: instantOf(to) };
  const read = ({ after: before, limit }: Part) => list(management, { ...filter, before, limit });
  const page = await pageOf('listLedgerEntries', { ...query, team }, management, read, ({ id }) => id);
  return reply(200, page);
};
