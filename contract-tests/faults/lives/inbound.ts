/** The lives of what phones send: through the SMSC in parts, and through WhatsApp. */
import type { ShortMessage } from '../../../src/connectors/smpp/wire/bodies.ts';
import type { World } from '../world/world.ts';
import type { Life } from './life.ts';
import { number, otherPhone } from './requests.ts';
import { usual } from './script.ts';

const shortCode = '22141';

/** The services get what people send posted. */
async function prepare({ data: { database, demo }, networks }: World): Promise<void> {
  const { knex } = database;
  const inbound = { inbound_callback_url: networks.receiverUrl };
  const sender = { id: shortCode, team_id: 'demo', name: 'Orders', sender: shortCode };
  await knex('senders').insert(sender).onConflict('id').ignore();
  await knex('services')
    .where({ id: demo.smsServiceId })
    .update({ ...inbound, sender: shortCode });
  await knex('chatapp_services').where({ id: demo.chatAppServiceId }).update(inbound);
}

const common = { script: usual, prepare, endings: [], sent: [], most: () => 0 };

/** What a phone sends to this number. */
export function textOf(text: string, to: string): ShortMessage {
  return { ...message, destination: { ton: 3, npi: 0, number: to }, text: Buffer.from(text) };
}

const message: ShortMessage = {
  serviceType: '',
  source: { ton: 1, npi: 1, number },
  destination: { ton: 3, npi: 0, number: shortCode },
  esmClass: 0,
  protocolId: 0,
  priority: 0,
  scheduledAt: '',
  validityPeriod: '',
  registeredDelivery: 0,
  replaceIfPresent: 0,
  dataCoding: 0,
  defaultMessageId: 0,
  text: Buffer.from('Asante'),
  tlvs: [],
};

/** The last part of a text comes first. */
const parts = ['Habari ', 'ya asubuhi'].map((text, index) => partOf(text, index + 1)).reverse();

function partOf(text: string, number: number): ShortMessage {
  return {
    ...message,
    esmClass: 0x40,
    text: Buffer.concat([Buffer.from([5, 0, 3, 42, 2, number]), Buffer.from(text)]),
  };
}

export const inboundLives: Life[] = [
  {
    ...common,
    name: 'texts of two phones, one of them in parts',
    begin: async ({ networks }) => {
      // Of one phone, two that are repeated together could be two that were written twice.
      for (const one of [
        ...parts,
        { ...message, source: { ...message.source, number: otherPhone.slice(1) } },
      ])
        networks.hear(one);
    },
    heard: ['Habari ya asubuhi', 'Asante'],
  },
  {
    ...common,
    name: 'chat-app message of a person',
    begin: async ({ networks, data: { demo } }) => {
      const [phone_number_id] = demo.phoneNumberIds;
      const sent = { from: number, id: 'wamid.in', type: 'text', text: { body: 'Asante' } };
      const value = { metadata: { phone_number_id }, messages: [sent] };
      networks.callBack('meta', 0, { entry: [{ changes: [{ field: 'messages', value }] }] });
    },
    heard: ['Asante'],
  },
];
