/** Manages SMS services. */
import type { Knex } from 'knex';
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import type { Fault } from '../../platform/errors/management.ts';
import type { Registrations } from '../../products/sms/registrations.ts';
import type { SmsService } from '../../products/sms/service.ts';
import { connectorFaults } from '../networks/routes.ts';
import { resource } from '../resource.ts';
import { nameFaults, senderFaults } from '../rules.ts';
import { inboundFaults, inboundProperties } from './inbound.ts';
import { ownershipFaults, senderKey } from './sender-ownership.ts';

async function inboundConnectorFaults(
  knex: Knex,
  after: readonly string[],
  before: readonly string[] = [],
): Promise<Fault[]> {
  const added = after.filter((name) => !before.includes(name));
  return (await Promise.all(added.map((name) => connectorFaults(knex, name, 'sms')))).flat();
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
    /** A trigger keeps it. */
    senderSince: kept<Date>(),
    /** Another team has the sender, and this service may share it. */
    sharedSender: changeable<boolean>({ initially: false }),
    /** The connectors that may deliver messages of phones to it; none: those of the channels that the sender is sent through. */
    inboundConnectors: changeable<readonly string[]>({ initially: [] }),
    status: changeable<SmsService['status']>({ initially: 'Active' }),
    /** The category of its free-form texts. */
    purpose: changeable<Category>({ initially: 'MARKETING' }),
    quietHours: changeable<boolean>({ initially: true }),
    /** How long its messages and bundles wait for their network; null: what the settings say. */
    validitySeconds: changeable<number | null>({ initially: null }),
    /** What regulators want to know of its messages, by name. */
    registrations: changeable<Registrations>({ initially: {} }),
    ...inboundProperties,
    createdAt: kept<Date>(),
  },
  platform: ['sharedSender', 'inboundConnectors'],
  // What the platform said was about the former sender.
  settle: ({ sender }, { before, management: { team } }) =>
    before === undefined || team === undefined || senderKey(sender) === senderKey(before.sender)
      ? {}
      : { sharedSender: false, inboundConnectors: [] },
  check: async (after, { trx, management, before }) => [
    ...nameFaults(after.name),
    ...senderFaults(after.sender),
    ...(await ownershipFaults(trx, after, { before, team: management.team })),
    ...(await inboundConnectorFaults(trx, after.inboundConnectors, before?.inboundConnectors)),
    ...(await inboundFaults(trx, after)),
  ],
});
