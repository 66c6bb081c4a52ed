/** Manages SMS services. */
import type { Category } from '../../model/plan.ts';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import type { SmsService } from '../../products/sms/service.ts';
import { resource } from '../resource.ts';
import { nameFaults, senderFaults } from '../rules.ts';
import { inboundFaults, inboundProperties } from './inbound.ts';

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
    status: changeable<SmsService['status']>({ initially: 'Active' }),
    /** The category of its free-form texts. */
    purpose: changeable<Category>({ initially: 'MARKETING' }),
    quietHours: changeable<boolean>({ initially: true }),
    /** How long its messages and bundles wait for their network; null: what the settings say. */
    validitySeconds: changeable<number | null>({ initially: null }),
    ...inboundProperties,
    createdAt: kept<Date>(),
  },
  check: async (after, { trx }) => [
    ...nameFaults(after.name),
    ...senderFaults(after.sender),
    ...(await inboundFaults(trx, after)),
  ],
});
