/** Manages the phone numbers that send chat-app messages. */
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { faults } from '../../platform/errors/management.ts';
import { connectorFaults } from '../networks/connector-faults.ts';
import { resource } from '../resource.ts';
import { chatAppServices } from './chatapp-services.ts';

export const chatAppSenders = resource({
  noun: 'chat-app sender',
  table: 'chatapp_numbers',
  key: 'id',
  owner: 'teamId',
  properties: {
    /** The network's id of the number: clients send it as `phoneNumberId`. */
    id: fixed<string>(),
    teamId: kept<string>({
      computed: '(select team_id from chatapp_services where id = chatapp_numbers.service_id)',
    }),
    /** Its chat-app service. */
    serviceId: fixed<string>(),
    /** E.164. */
    phone: changeable<string>(),
    connector: changeable<string>(),
    createdAt: kept<Date>(),
  },
  check: async ({ serviceId, connector }, { trx, management: { team }, before }) => {
    const service = await chatAppServices.rows.find(trx, serviceId);
    const visible = service !== undefined && (team === undefined || service.teamId === team);
    return [
      ...(visible ? [] : [faults.notFound('chat-app service', serviceId)]),
      ...(connector === before?.connector ? [] : await connectorFaults(trx, connector, 'chatapp')),
    ];
  },
});
