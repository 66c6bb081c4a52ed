/** The accounts of teams and their ledger. */
import * as accounts from '../../src/manage/units/accounts.ts';
import { instantOf, type ManagementHandler, type Part, pageOf, wire } from './operation.ts';

/** Lists the accounts of a team. */
export const listAccounts: ManagementHandler<'listAccounts'> = async ({ path, reply }, management) => {
  return reply(200, { items: wire(await accounts.listAccounts(management, path.teamId)) });
};

/** Lists the accounts that have less left than a day takes. */
export const listAccountsNearEmpty: ManagementHandler<'listAccountsNearEmpty'> = async (
  { query: { teamId: team, limit = 25 }, reply },
  management,
) => reply(200, { items: wire(await accounts.listAccountsNearEmpty(management, { team, limit })) });

/** Lists the caps that are near or reached. */
export const listCapsNear: ManagementHandler<'listCapsNear'> = async (
  { query: { teamId: team, limit = 25 }, reply },
  management,
) => reply(200, { items: wire(await accounts.listCapsNear(management, { team, limit })) });

/** Adds units to an account of a team. */
export const topUp: ManagementHandler<'topUp'> = async ({ path, body, reply }, management) => {
  const { team: teamId, ...posting } = await accounts.topUp(management, { ...body, team: path.teamId });
  return reply(200, wire({ ...posting, teamId }));
};

/** Corrects the balance of an account. */
export const correctBalance: ManagementHandler<'correctBalance'> = async (
  { path, body, reply },
  management,
) => {
  const { team: teamId, ...posting } = await accounts.correctBalance(management, {
    ...body,
    team: path.teamId,
  });
  return reply(200, wire({ ...posting, teamId }));
};

/** Lists the ledger entries of a team, newest first. */
export const listLedgerEntries: ManagementHandler<'listLedgerEntries'> = async (
  { path, query, reply },
  management,
) => {
  const { teamId: team } = path;
  const { product, channel, denomination, category, from, to } = query;
  const account = { team, product, channel, denomination, category };
  const filter = { ...account, from: instantOf(from), to: instantOf(to) };
  const read = ({ after: before, limit }: Part) =>
    accounts.listLedger(management, { ...filter, before, limit });
  const page = await pageOf('listLedgerEntries', { ...query, team }, management, read, ({ id }) => id);
  return reply(200, page);
};
