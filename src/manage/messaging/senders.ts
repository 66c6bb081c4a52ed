/** Manages the phone numbers that send chat-app messages. */
import {
  findNumber,
  insertNumber,
  listNumbers,
  type NumberOfTeam,
  updateNumber,
} from '../../chatapp/number-repository.ts';
import { findService } from '../../chatapp/service-repository.ts';
import { faults, requireNone } from '../../errors/management.ts';
import type { Management, TeamPage } from '../management.ts';
import { connectorFaults } from '../networks/routes.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { rules, textFaults } from '../rules.ts';

const kind: ResourceKind<NumberOfTeam> = {
  noun: 'sender',
  table: 'chatapp_numbers',
  key: 'id',
  find: findNumber,
  teamOf: ({ teamId }) => teamId,
  view: (sender) => sender,
};

export interface NewSender {
  /** The network's id of the number: clients send it as `phoneNumberId`. */
  id: string;
  /** Its chat-app service. */
  serviceId: string;
  /** E.164. */
  phone: string;
  connector: string;
}

export async function createSender(management: Management, sender: NewSender): Promise<NumberOfTeam> {
  const { knex, team } = management;
  const service = await findService(knex, sender.serviceId);
  const visible = service !== undefined && (team === undefined || service.teamId === team);
  return createResource(management, kind, {
    id: sender.id,
    team: visible ? service.teamId : null,
    faults: [
      ...textFaults('phone', sender.phone, rules.phone),
      ...(visible ? [] : [faults.notFound('chat-app service', sender.serviceId)]),
    ],
    check: (trx) => connectorFaults(trx, sender.connector, 'chatapp'),
    insert: (trx) => insertNumber(trx, sender),
  });
}

export async function getSender(management: Management, id: string): Promise<NumberOfTeam> {
  return getResource(management, kind, id);
}

export interface SenderEdit {
  phone?: string | undefined;
  connector?: string | undefined;
}

export async function changeSender(
  management: Management,
  id: string,
  { phone, connector }: SenderEdit,
  version?: string,
): Promise<NumberOfTeam> {
  return changeResource(management, kind, id, { action: 'change', version }, async (_before, trx) => {
    requireNone([
      ...textFaults('phone', phone, rules.phone),
      ...(connector === undefined ? [] : await connectorFaults(trx, connector, 'chatapp')),
    ]);
    await updateNumber(trx, id, { phone, connector });
  });
}

export async function listSenders(
  management: Management,
  { team, ...page }: TeamPage = {},
): Promise<NumberOfTeam[]> {
  return listNumbers(management.knex, { teamId: await listedTeam(management, team), ...page });
}
