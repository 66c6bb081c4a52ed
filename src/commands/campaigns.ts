/** Commands for campaigns: what mobile data is given under. */
import type { Campaign, Frequency } from '../data/campaign.ts';
import {
  insertCampaign,
  listCampaigns,
  type StoredCampaign,
  setCampaignStatus,
} from '../data/campaign-repository.ts';
import { windowOf } from '../data/frequency.ts';
import { findService } from '../sms/service-repository.ts';
import { CommandError, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';

export const campaignCommands = [
  command({
    words: 'campaign add',
    about: 'add a campaign',
    positionals: { campaign: 'id of the new campaign, as it stands in /data/{campaignId}' },
    options: {
      team: { kind: 'text', about: 'whose it is', required: true },
      service: {
        kind: 'text',
        about: 'SMS service of the messages that go with its bundles',
        required: true,
      },
      denomination: {
        kind: 'list',
        about: 'a bundle that may be given',
        required: true,
        matching: { rule: /^[1-9]\d*[MG]B$/, words: 'such as 50MB or 1GB' },
      },
      frequency: {
        kind: 'text',
        about: 'how often a phone gets one',
        choices: Object.keys(windowOf),
        required: true,
      },
      expires: {
        kind: 'text',
        about: 'when it ends, such as 2027-01-31T00:00:00Z; by default never',
        value: 'instant',
      },
      name: { kind: 'text', about: 'how people call it; by default its id' },
    },
    async run({ campaign: id, team, service, denomination, frequency, expires, name = id }, context) {
      const expiresAt = expires === undefined ? null : new Date(expires);
      // A date without a zone would be read in that of this machine.
      if (
        expires !== undefined &&
        !(/T[^T]+(Z|[+-]\d\d:\d\d)$/.test(expires) && Number.isFinite(expiresAt?.getTime()))
      )
        throw new UsageError(['--expires must be an instant with its zone, such as 2027-01-31T00:00:00Z']);
      const database = await context.database();
      await requireTeam(database, team);
      if ((await findService(database.knex, service))?.teamId !== team)
        throw new CommandError(`the team ${team} has no service ${service}`);
      const campaign: StoredCampaign = {
        id,
        teamId: team,
        serviceId: service,
        status: 'Active',
        allowedDenominations: [...new Set(denomination)],
        frequency: frequency as Frequency,
        expiresAt,
      };
      if (!(await insertCampaign(database.knex, { ...campaign, name })))
        throw new CommandError(`there is a campaign ${id} already`);
      return { one: summaryOf(campaign) };
    },
  }),
  listByTeam('campaign list', 'list the campaigns', async ({ knex }, team) =>
    (await listCampaigns(knex, team)).map(summaryOf),
  ),
  status('campaign archive', 'take a campaign out of use', 'Archived'),
  status('campaign restore', 'bring an archived campaign back into use', 'Active'),
];

function status(words: string, about: string, next: Campaign['status']) {
  return command({
    words,
    about,
    positionals: { campaign: 'id of the campaign' },
    async run({ campaign }, context) {
      const { knex } = await context.database();
      if (!(await setCampaignStatus(knex, campaign, next)))
        throw new CommandError(`there is no campaign ${campaign}`);
      return { one: { campaign, status: next } };
    },
  });
}

function summaryOf({ id, teamId, serviceId, expiresAt, ...rest }: StoredCampaign) {
  const { status, frequency, allowedDenominations } = rest;
  return {
    campaign: id,
    team: teamId,
    status,
    service: serviceId,
    frequency,
    expires: expiresAt?.toISOString() ?? null,
    denominations: allowedDenominations,
  };
}
