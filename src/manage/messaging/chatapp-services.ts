/** Manages chat-app services. */
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import type { ChatAppService } from '../../products/chatapp/facts.ts';
import { resource } from '../resource.ts';
import { nameFaults } from '../rules.ts';
import { inboundFaults, inboundProperties } from './inbound.ts';

export const chatAppServices = resource({
  noun: 'chat-app service',
  table: 'chatapp_services',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    teamId: fixed<string>(),
    name: changeable<string>({ initially: (id) => id }),
    status: changeable<ChatAppService['status']>({ initially: 'Active' }),
    quietHours: changeable<boolean>({ initially: true }),
    ...inboundProperties,
    createdAt: kept<Date>(),
  },
  check: async (after, { trx }) => [...nameFaults(after.name), ...(await inboundFaults(trx, after))],
});
