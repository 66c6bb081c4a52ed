/** Manages campaigns: the rules under which mobile data is given. */
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { instantOf } from '../../platform/text/instant.ts';
import type { Campaign, Frequency } from '../../products/data/campaign.ts';
import { type Context, resource } from '../resource.ts';
import { nameFaults } from '../rules.ts';
import { smsServices } from './sms-services.ts';

export const campaigns = resource({
  noun: 'campaign',
  table: 'campaigns',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    teamId: fixed<string>(),
    name: changeable<string>({ initially: (id) => id }),
    /** The SMS service of messages that accompany its bundles, if a request names no other. */
    serviceId: changeable<string>(),
    status: changeable<Campaign['status']>({ initially: 'Active' }),
    allowedDenominations: changeable<readonly string[]>(),
    frequency: changeable<Frequency>(),
    /** RFC 3339; null: it does not end. */
    expiresAt: changeable<string | null>({
      initially: null,
      read: (at: Date | null) => (at === null ? null : at.toISOString()),
      write: (at) => at && new Date(at),
    }),
    createdAt: kept<Date>(),
  },
  settle: ({ allowedDenominations, expiresAt }) => ({
    allowedDenominations: [...new Set(allowedDenominations)],
    expiresAt: expiresAt && instantOf(expiresAt).toISOString(),
  }),
  check: async ({ name, teamId, serviceId }, context) => [
    ...nameFaults(name),
    ...(serviceId === context.before?.serviceId ? [] : await serviceFaults(context, teamId, serviceId)),
  ],
});

/** A caller of another team learns nothing of the services of this one. */
async function serviceFaults(
  { trx, management: { team: callers } }: Pick<Context<never>, 'trx' | 'management'>,
  team: string,
  service: string,
): Promise<Fault[]> {
  const visible = callers === undefined || callers === team;
  const found = visible ? await smsServices.rows.find(trx, service) : undefined;
  return found?.teamId === team ? [] : [faults.serviceOfTeam(team, service)];
}
