/** Commands for campaigns: the rules under which mobile data is given. */
import type { Campaign, Frequency } from '../data/campaign.ts';
import {
  type CampaignChange,
  findCampaign,
  insertCampaign,
  listCampaigns,
  type StoredCampaign,
  setCampaignStatus,
  updateCampaign,
} from '../data/campaign-repository.ts';
import { windowOf } from '../data/frequency.ts';
import type { Database } from '../db/knex.ts';
import { findService } from '../sms/service-repository.ts';
import { CommandError, command, UsageError } from './command.ts';
import { listByTeam, requireTeam } from './teams.ts';

const denomination = {
  kind: 'list',
  about: 'allowed bundle',
  matching: { rule: /^[1-9]\d*[MG]B$/, words: 'a size such as 50MB or 1GB' },
} as const;

const frequency = {
  kind: 'text',
  about: 'how often a phone number may get a bundle',
  choices: Object.keys(windowOf),
} as const;

const expires = {
  kind: 'text',
  about: 'end of the campaign, such as 2027-01-31T00:00:00Z',
  value: 'instant',
} as const;

export const campaignCommands = [
  command({
    words: 'campaign add',
    about: 'add a campaign',
    positionals: { campaign: 'id of the new campaign, used in /data/{campaignId}' },
    options: {
      team: { kind: 'text', about: 'owning team', required: true },
      service: {
        kind: 'text',
        about: 'SMS service for messages with its bundles',
        required: true,
      },
      denomination: { ...denomination, required: true },
      frequency: { ...frequency, required: true },
      expires: { ...expires, about: `${expires.about}; default: never` },
      name: { kind: 'text', about: 'display name; default: the id' },
    },
    async run({ campaign: id, team, service, denomination, frequency, expires, name = id }, context) {
      const expiresAt = instantOf(expires) ?? null;
      const database = await context.database();
      await requireTeam(database, team);
      await requireService(database.knex, team, service);
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
        throw new CommandError(`campaign ${id} already exists`);
      return { one: summaryOf(campaign) };
    },
  }),
  command({
    words: 'campaign set',
    about: 'change a campaign; options that you omit stay unchanged',
    positionals: { campaign: 'id of the campaign' },
    options: {
      status: { kind: 'text', about: 'whether it accepts requests', choices: ['Active', 'Archived'] },
      service: { kind: 'text', about: 'SMS service for messages with its bundles' },
      denomination: { ...denomination, about: 'allowed bundle; replaces the current list' },
      frequency: {
        ...frequency,
        about: 'how often a phone number may get a bundle, counted from the last delivery',
      },
      expires,
      'no-expiry': { kind: 'flag', about: 'remove the end' },
      name: { kind: 'text', about: 'display name' },
    },
    async run({ campaign: id, service, denomination, 'no-expiry': endless, ...given }, context) {
      if (endless && given.expires !== undefined)
        throw new UsageError(['--expires and --no-expiry cannot be combined']);
      const change: CampaignChange = {
        name: given.name,
        status: given.status as Campaign['status'] | undefined,
        serviceId: service,
        allowedDenominations: denomination.length > 0 ? [...new Set(denomination)] : undefined,
        frequency: given.frequency as Frequency | undefined,
        expiresAt: endless ? null : instantOf(given.expires),
      };
      if (Object.values(change).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi campaign set --help');
      const { knex } = await context.database();
      const before = await findCampaign(knex, id);
      if (before === undefined) throw new CommandError(`campaign ${id} does not exist`);
      if (service !== undefined) await requireService(knex, before.teamId, service);
      await updateCampaign(knex, id, change);
      return { one: summaryOf((await findCampaign(knex, id)) ?? before) };
    },
  }),
  listByTeam('campaign list', 'list the campaigns', async ({ knex }, team) =>
    (await listCampaigns(knex, team)).map(summaryOf),
  ),
  status('campaign archive', 'archive a campaign', 'Archived'),
  status('campaign restore', 'restore an archived campaign', 'Active'),
];

function instantOf(written: string | undefined): Date | undefined {
  if (written === undefined) return undefined;
  const instant = new Date(written);
  // A date without a zone would be read in that of this machine.
  if (/T[^T]+(Z|[+-]\d\d:\d\d)$/.test(written) && Number.isFinite(instant.getTime())) return instant;
  throw new UsageError(['--expires must be a date and time with a time zone, such as 2027-01-31T00:00:00Z']);
}

async function requireService(knex: Database['knex'], team: string, service: string): Promise<void> {
  if ((await findService(knex, service))?.teamId !== team)
    throw new CommandError(`team ${team} has no service ${service}`);
}

function status(words: string, about: string, next: Campaign['status']) {
  return command({
    words,
    about,
    positionals: { campaign: 'id of the campaign' },
    async run({ campaign }, context) {
      const { knex } = await context.database();
      if (!(await setCampaignStatus(knex, campaign, next)))
        throw new CommandError(`campaign ${campaign} does not exist`);
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
