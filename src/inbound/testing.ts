/** A database with a service that people write to, and what receives their messages, for tests. */
import { randomUUID } from 'node:crypto';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { createPhoneParser } from '../products/phone/parse.ts';
import { createActOn } from './keywords.ts';
import { createLearn } from './persons.ts';
import { createRecordPreferences } from './preferences.ts';
import { createReceive, endTexts, type InboundDependencies } from './receive.ts';

export const phone = '+254711000000';
export const shortCode = '22141';

export type InboundTestBed = Awaited<ReturnType<typeof openInbound>>;

export async function openInbound() {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  await knex('teams').insert({ id: 'acme', name: 'Acme' });
  await knex('senders').insert({ id: shortCode, team_id: 'acme', name: 'Orders', sender: shortCode });
  await knex('services').insert({ id: 'orders', team_id: 'acme', name: 'Orders', sender: shortCode });
  await knex('channels').insert([
    { name: 'Safaricom', prefixes: '["2547"]', connector: 'smsc', position: 1 },
    { name: 'Airtel', prefixes: '["25473"]', connector: 'airtel', position: 2 },
  ]);
  const dropped: string[] = [];
  let posts = 0;
  const dependencies: InboundDependencies = {
    knex,
    parsePhone: createPhoneParser('KE'),
    hashPhone: (number) => `#${number}`,
    actOn: createActOn({ hashPhone: (number) => `#${number}`, validitySeconds: 3_600 }),
    onPosts: () => {
      posts += 1;
    },
    events: {
      messageDropped: (connector, reason) => void dropped.push(`${connector} ${reason}`),
      inboundUnreadable: (...unreadable) => void dropped.push(unreadable.join(' ')),
    },
  };
  const receive = createReceive(dependencies);
  return {
    database,
    dropped,
    posts: () => posts,
    receive: (...messages: PhoneMessage[]) => receive({ connector: 'smsc', product: 'sms' }, messages),
    receiveThrough: (connector: string, ...messages: PhoneMessage[]) =>
      receive({ connector, product: 'sms' }, messages),
    /** Each time by a process of its own. */
    receiveElsewhere: (...messages: PhoneMessage[]) =>
      createReceive(dependencies)({ connector: 'smsc', product: 'sms' }, messages),
    receiveChat: (...messages: PhoneMessage[]) =>
      receive({ connector: 'chat', product: 'chatapp' }, messages),
    learn: createLearn(dependencies),
    recordPreferences: createRecordPreferences(dependencies),
    unreadable: () => knex('inbound_unreadable').orderBy('received_at'),
    endTexts: () => endTexts(dependencies),
    /** A chat-app service with a number, `of-` and its id unless another is given. */
    addChatService: async (id: string, teamId = 'acme', number = `of-${id}`, numberPhone = '+254200') => {
      await knex('chatapp_services').insert({ id, team_id: teamId, name: id });
      await knex('chatapp_numbers').insert({
        ...{ id: number, service_id: id, phone: numberPhone, connector: 'chat' },
      });
    },
    addClient: (id: string, more: object = {}) =>
      knex('clients').insert({
        ...{ id, team_id: 'acme', name: id, secret_hashes: '[]', signing_secrets: '[]', scopes: '[]' },
        ...more,
      }),
    /** In the order in which they were stored. */
    stored: () => knex('inbound_messages').orderBy(['received_at', 'id']),
    /** What a service sent to a phone that many hours ago; returns its request. */
    sent: async (
      serviceId: string,
      { hoursAgo = 1, to = phone, teamId = 'acme', connector = 'smsc', product = 'sms' } = {},
    ): Promise<string> => {
      const id = randomUUID();
      const at = knex.raw(`service_now() - ? * interval '1 hour'`, [hoursAgo]);
      const request = { team_id: teamId, client_id: 'client', operation: 'sendSms', resource_id: serviceId };
      await knex('requests').insert({ ...request, id, correlator: 'order-1', created_at: at });
      const message = { team_id: teamId, product, channel: 'Safaricom', content: 'Habari', units: 1 };
      const state = { state: 'Submitted', submitted_at: at, connector };
      await knex('messages').insert({ ...message, ...state, request_id: id, position: 0, phone: to });
      return id;
    },
  };
}

/** A part of a text. */
export function part(number: number, total: number, words: string, reference = 'udh8:7'): PhoneMessage {
  const octets = Buffer.from(words, 'latin1');
  return text('', { body: { part: { reference, number, total, coding: 'latin1', octets } } });
}

/** A text as a phone sends it. */
export function text(words: string, fields: Partial<PhoneMessage> = {}): PhoneMessage {
  const message = { from: '254711000000', to: shortCode, identity: randomUUID(), repeatedWithinSeconds: 300 };
  return { ...message, body: { content: { kind: 'text', text: words } }, ...fields };
}
