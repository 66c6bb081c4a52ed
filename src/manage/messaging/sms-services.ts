/** Manages SMS services. */
import type { Knex } from 'knex';
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import type { Fault } from '../../platform/errors/management.ts';
import { senderKey } from '../../products/sms/sender-rules.ts';
import type { SmsService } from '../../products/sms/service.ts';
import type { Management } from '../management.ts';
import { connectorFaults } from '../networks/connector-faults.ts';
import { resource, teamFaults } from '../resource.ts';
import { nameFaults, senderFaults } from '../rules.ts';
import { inboundFaults, inboundProperties } from './inbound.ts';
import { holdingOf } from './sender-ownership.ts';
import { senders } from './senders.ts';

async function inboundConnectorFaults(
  knex: Knex,
  after: readonly string[],
  before: readonly string[] = [],
): Promise<Fault[]> {
  const added = after.filter((name) => !before.includes(name));
  return (await Promise.all(added.map((name) => connectorFaults(knex, name, 'sms')))).flat();
}

/** What nobody has is asked for, with the service that is to send as it. */
async function holdFaults(
  trx: Knex.Transaction,
  { teamId, sender }: { teamId: string; sender: string },
  { before, management }: { before: { sender: string } | undefined; management: Management },
): Promise<readonly Fault[]> {
  if (before !== undefined && senderKey(before.sender) === senderKey(sender)) return [];
  // Of a team that the caller does not see, nothing is said but that.
  if ((await teamFaults(trx, management, teamId)).length > 0) return [];
  const holding = await holdingOf(trx, { teamId, sender }, management.team);
  if (typeof holding === 'object') return holding.faults;
  if (holding === 'free') {
    const key = senderKey(sender);
    const isTaken = (await senders.rows.find(trx, key)) !== undefined;
    const id = isTaken ? `${key}-${teamId}`.slice(0, 64) : key;
    await senders.create({ ...management, knex: trx }, { id, teamId, sender });
  }
  return [];
}

export const smsServices = resource({
  noun: 'service',
  table: 'services',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    teamId: fixed<string>(),
    name: changeable<string>({ initially: (id) => id }),
    sender: changeable<string>(),
    /** The connectors that may deliver messages of phones to it; none: those of the channels that the sender is sent through. */
    inboundConnectors: changeable<readonly string[]>({ initially: [] }),
    status: changeable<SmsService['status']>({ initially: 'Active' }),
    /** The category of its free-form texts. */
    purpose: changeable<Category>({ initially: 'MARKETING' }),
    quietHours: changeable<boolean>({ initially: true }),
    /** How long its messages and bundles wait for their network; null: what the settings say. */
    validitySeconds: changeable<number | null>({ initially: null }),
    ...inboundProperties,
    createdAt: kept<Date>(),
  },
  platform: ['inboundConnectors'],
  // What the platform said was about the former sender.
  settle: ({ sender }, { before, management: { team } }) =>
    before === undefined || team === undefined || senderKey(sender) === senderKey(before.sender)
      ? {}
      : { inboundConnectors: [] },
  check: async (after, { trx, management, before }) => [
    ...nameFaults(after.name),
    ...senderFaults(after.sender),
    ...(await holdFaults(trx, after, { before, management })),
    ...(await inboundConnectorFaults(trx, after.inboundConnectors, before?.inboundConnectors)),
    ...(await inboundFaults(trx, after)),
  ],
});
