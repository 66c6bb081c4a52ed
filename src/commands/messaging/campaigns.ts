/** Commands for campaigns: the rules under which mobile data is given. */
import {
  type CampaignEdit,
  changeCampaign,
  createCampaign,
  frequencies,
  listCampaigns,
  type NewCampaign,
} from '../../manage/messaging/campaigns.ts';
import { routeWarnings } from '../../manage/networks/routes.ts';
import { rules, templateStatuses } from '../../manage/rules.ts';
import { withWarnings } from '../line/answer.ts';
import { CommandError, command, UsageError } from '../line/command.ts';
import { instantOf } from '../line/instant.ts';
import { listByTeam } from '../line/list-by-team.ts';

const denomination = {
  kind: 'list',
  about: 'allowed bundle',
  matching: rules.denomination,
} as const;

const frequency = {
  kind: 'text',
  about: 'how often a phone number may get a bundle',
  choices: frequencies,
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
    async run({ campaign: id, team, service, denomination, frequency, expires, name }, context) {
      const expiresAt = instantOf('expires', expires);
      const management = await context.management();
      const campaign = await createCampaign(management, {
        id,
        teamId: team,
        serviceId: service,
        name,
        allowedDenominations: denomination,
        frequency: frequency as NewCampaign['frequency'],
        expiresAt,
      });
      const warnings = await routeWarnings(management, { team, product: 'data' });
      return withWarnings({ one: summaryOf(campaign) }, warnings);
    },
  }),
  command({
    words: 'campaign set',
    about: 'change a campaign; options that you omit stay unchanged',
    positionals: { campaign: 'id of the campaign' },
    options: {
      status: { kind: 'text', about: 'whether it accepts requests', choices: templateStatuses },
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
      const edit: CampaignEdit = {
        name: given.name,
        status: given.status as CampaignEdit['status'],
        serviceId: service,
        allowedDenominations: denomination.length > 0 ? denomination : undefined,
        frequency: given.frequency as CampaignEdit['frequency'],
        expiresAt: endless ? null : instantOf('expires', given.expires),
      };
      if (Object.values(edit).every((value) => value === undefined))
        throw new CommandError('nothing to change: see tarishi campaign set --help');
      return { one: summaryOf(await changeCampaign(await context.management(), id, edit)) };
    },
  }),
  listByTeam('campaign list', 'list the campaigns', async (management, filter) =>
    (await listCampaigns(management, filter)).map(summaryOf),
  ),
  status('campaign archive', 'archive a campaign', 'Archived'),
  status('campaign restore', 'restore an archived campaign', 'Active'),
];

function status(words: string, about: string, next: 'Active' | 'Archived') {
  return command({
    words,
    about,
    positionals: { campaign: 'id of the campaign' },
    async run({ campaign }, context) {
      const { status } = await changeCampaign(await context.management(), campaign, { status: next });
      return { one: { campaign, status } };
    },
  });
}

function summaryOf({
  id,
  teamId,
  serviceId,
  expiresAt,
  ...rest
}: Awaited<ReturnType<typeof createCampaign>>) {
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
