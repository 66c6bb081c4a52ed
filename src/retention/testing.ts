/** A database with two teams, whose history tests make, and retention that runs on it. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { clearTables, openTestDatabase } from '../platform/db/testing.ts';
import { createParts } from '../platform/isolation/parts.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import { consequences } from '../receipts/record-testing.ts';
import { retain } from './chore.ts';

export const phone = '+254711000000';
const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const periods = { texts: 7, receipts: 30, numbers: 90 };

export interface Given {
  team?: string;
  state?: string;
  product?: string;
  receipt?: string;
  oneTime?: boolean;
}

/** A message whose request was accepted so many days ago. Returns its id. */
async function insertAccepted(knex: Knex, daysAgo: number, given: Given): Promise<string> {
  const { team = 'acme', state = 'Delivered', product = 'sms', receipt, oneTime = false } = given;
  const at = knex.raw(`service_now() - ? * interval '1 day'`, [daysAgo]);
  const request = randomUUID();
  await knex('requests').insert({
    id: request,
    team_id: team,
    client_id: 'orders',
    operation: 'sendSms',
    resource_id: 'service',
    sender: 'ACME',
    correlator: 'order-1',
    callback_url: 'https://shop.example/receipts',
    trace: `${traceparent} client=${phone}`,
    created_at: at,
  });
  const [{ id }] = await knex('messages')
    .insert({
      request_id: request,
      team_id: team,
      position: 0,
      product,
      channel: 'Safaricom',
      phone,
      content: product === 'data' ? '1GB' : 'Habari',
      one_time: oneTime,
      units: 1,
      state,
      connector: 'simulator',
      network_id: `id-${request}`,
      reason: 'no route to 254 711 000000',
      submitted_at: at,
      final_at: state === 'Submitted' || state === 'Queued' ? null : at,
    })
    .returning('id');
  if (receipt !== undefined)
    await knex('receipts').insert({
      id: randomUUID(),
      request_id: request,
      message_id: id,
      team_id: team,
      client_id: 'orders',
      url: 'https://shop.example/receipts',
      origin_key: randomUUID(),
      body: JSON.stringify({ phone }),
      state: receipt,
      trace: `${traceparent} client=${phone}`,
      attempt_log: '[{"response": "thanks"}]',
      created_at: at,
    });
  return id;
}

export interface Retention {
  knex: Knex;
  hashPhone: (phone: string) => string;
  /** Until nothing is due; `later`: also what was noted to be looked at later. */
  erase: (later?: boolean) => Promise<void>;
  /** A message whose request was accepted so many days ago. Returns its id. */
  accepted: (daysAgo: number, given?: Given) => Promise<string>;
  /** The stored rows. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at all columns.
  messages: (...ids: string[]) => Promise<any[]>;
  /** Removes all history. */
  empty: () => Promise<unknown>;
  quarantined: string[];
  logged: { part: string; msg: string }[];
  pass: (ms: number) => void;
}

/** For all tests of a file. */
export const openedRetention = (): Retention => openedForAll(openRetention, ({ close }) => close());

/** The team `brief` keeps texts for a day. */
async function openRetention(): Promise<Retention & { close: () => Promise<void> }> {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  await knex('teams').insert(['acme', 'brief'].map((id) => ({ id, name: id })));
  await knex('teams').where({ id: 'brief' }).update({ text_days: 1 });
  let nowMs = 0;
  const logged: Retention['logged'] = [];
  const logger = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) });
  const partsOf = (duty: string) => createParts(duty, logger, { elapsedMs: () => nowMs });
  const { hashPhone } = createSecrets(randomBytes(32));
  const quarantined: string[] = [];
  const dependencies = {
    knex,
    periods,
    hashPhone,
    consequences,
    events: { itemQuarantined: (round: string, item: string) => void quarantined.push(`${round} ${item}`) },
    teamParts: { texts: partsOf('texts'), receipts: partsOf('receipts'), numbers: partsOf('numbers') },
  };
  return {
    knex,
    close: () => database.close(),
    hashPhone,
    quarantined,
    logged,
    pass: (ms) => {
      nowMs += ms;
    },
    erase: async (later = false) => {
      if (later) await knex.raw('update erasures_due set next_look_at = service_now()');
      while (await retain(dependencies));
    },
    accepted: (daysAgo, given = {}) => insertAccepted(knex, daysAgo, given),
    messages: (...ids) => Promise.all(ids.map((id) => knex('messages').where({ id }).first())),
    empty: () =>
      clearTables(
        knex,
        'requests, messages, receipts, message_parts, retention_progress, erasures_due, quarantine, jobs',
      ),
  };
}
