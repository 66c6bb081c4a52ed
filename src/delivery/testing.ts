/** Accepted messages, scripted networks and delivery rounds, for tests on a real database. */
import { randomUUID } from 'node:crypto';
import { beforeEach } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { commitPlans } from '../accept/commit.ts';
import type { Connector, HandOver, OutboundMessage, QueryResult } from '../connectors/contract/connector.ts';
import type { Plan, PlannedMessage } from '../model/plan.ts';
import { type Route, readWay, stepsOf } from '../model/route.ts';
import type { ReachedState } from '../model/states.ts';
import { openedForAll } from '../platform/db/opened-testing.ts';
import { clearTables, openTestDatabase } from '../platform/db/testing.ts';
import { createEvents } from '../process/events.ts';
import { findOptedOut } from '../products/consent/opt-out-repository.ts';
import type { ClaimedJob, DeliveryJob } from '../queue/job.ts';
import { createQueue } from '../queue/queue.ts';
import { type Candidate, createChoice } from './choice.ts';
import { deliverJobs } from './deliver.ts';
import { releaseHeld, settleFallbacks } from './held.ts';
import { createLanes, type LaneDependencies, type Lanes } from './lanes.ts';
import type { RetryDependencies } from './retry.ts';

const validitySeconds = 3_600;

/** Of the tests: nothing secret. */
export const hashPhone = (phone: string) => `#${phone}`;

export const delivered: HandOver = { kind: 'accepted', reports: ['Delivered'] };

/** A network that records its messages, and responds as the test says. */
export function network(
  answer: (message: OutboundMessage) => HandOver,
  ask?: (message: OutboundMessage) => QueryResult,
) {
  const sent: string[] = [];
  const asked: string[] = [];
  const connector: Connector = {
    send: async (messages) =>
      messages.map((message) => {
        sent.push(message.phone);
        return answer(message);
      }),
  };
  if (ask !== undefined)
    connector.ask = async (messages) =>
      messages.map((message) => {
        asked.push(message.phone);
        return ask(message);
      });
  return { connector, sent, asked };
}

/** A provider that gives all bundles, or responds as the test says; it never knows one that it is asked about. */
export const provider = (answer: (message: OutboundMessage) => HandOver = () => delivered) =>
  network(answer, () => ({ kind: 'unknown' }));

export type TestDelivery = Awaited<ReturnType<typeof openDelivery>>;

/** Shared by all tests of a file. With `units`, each test starts with empty tables and that balance. */
export function openedDelivery(units?: number): TestDelivery {
  const delivery = openedForAll(openDelivery, (opened) => opened.close());
  if (units !== undefined) beforeEach(() => delivery.reset(units));
  return delivery;
}

async function openDelivery() {
  const logger = pino({ level: 'silent' });
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const { knex } = database;
  const queue = createQueue(knex);
  let accountId = '';

  /** Empty tables, and one team with this many units of SMS. */
  const reset = async (units: number) => {
    await clearTables(knex, 'requests, messages, message_parts, network_reports, receipts, quarantine, jobs');
    const teamId = randomUUID();
    await knex('teams').insert({ id: teamId, name: teamId });
    const account = { team_id: teamId, product: 'sms', balance: units };
    [{ id: accountId }] = await knex('accounts').insert(account).returning('id');
    await knex('ledger_entries').insert({ account_id: accountId, units, reason: 'TopUp' });
  };

  /** Accepts one request with these messages, as intake does. */
  const acceptRequest = async (request: Partial<Plan>, shapes: Partial<PlannedMessage>[]): Promise<void> => {
    const messages = shapes.map(
      (shape, position): PlannedMessage => ({
        product: 'sms',
        position,
        channel: 'Safaricom',
        phone: '+254711000000',
        content: 'Habari',
        units: 1,
        accountId,
        held: false,
        ...shape,
      }),
    );
    const plan: Plan = {
      teamId: 't',
      category: 'MARKETING',
      validitySeconds: null,
      clientId: 'c',
      operation: 'sendSms',
      resourceId: 'r',
      sender: 'TARISHI',
      receiptRequest: { callbackUrl: 'https://client.example/receipts', correlator: 'order-17' },
      messages,
      accepted: { requestId: randomUUID(), units: {}, addresses: {} },
      idempotency: undefined,
      ...request,
    };
    const [outcome] = await commitPlans(knex, [plan], validitySeconds);
    if (outcome !== 'accepted') throw new Error(JSON.stringify(outcome));
  };

  /** Connectors by product and channel, or by product; what has none waits. */
  const dependencies = (connectors: Record<string, Connector>): LaneDependencies & RetryDependencies => {
    const receipt = ({ phone, state, fallback }: ReachedState) => ({ phone, state, fallback });
    return {
      knex,
      logger,
      queue,
      waysOf: async ({ product, channel }) => {
        const name = connectors[`${product} ${channel}`] === undefined ? product : `${product} ${channel}`;
        const connector = connectors[name];
        return { steps: connector === undefined ? [] : [[{ name, weight: 1, connector }]] };
      },
      wayFor: async () => undefined,
      connectorNamed: (name) => connectors[name],
      gates: {},
      findOpenings: async () => new Map(),
      findOptedOut: (messages) => findOptedOut(knex, messages, hashPhone),
      consequences: {
        receipt: { sms: receipt, data: receipt, chatapp: receipt },
        settleFallbacks: (trx, reached) => settleFallbacks(trx, queue, reached, validitySeconds),
        follow: { data: (trx, reached) => releaseHeld(trx, queue, reached, validitySeconds) },
      },
      events: createEvents(new Registry(), logger),
      recordNews: async () => {},
      validitySeconds,
      onReceipts: () => {},
      lotsPerConnector: 1,
      run: (lot) => lot(),
      onFree: () => {},
    };
  };

  /** For messages with one route, to these connectors; `find` knows those that take messages, the others are paused. */
  const routed = (
    names: readonly string[],
    find: (name: string) => Connector | undefined,
    { soon = false, ...more }: Partial<Route> & { soon?: boolean } = {},
  ): LaneDependencies & RetryDependencies => {
    const via = names.map((connector) => ({ connector }));
    const route: Route = { name: 'all', match: {}, via, nextOnCodes: null, ...more };
    const candidate = (name: string, weight: number): Candidate => {
      const connector = find(name);
      return connector === undefined
        ? { name, weight, reason: 'it is paused', soon }
        : { name, weight, connector };
    };
    const stepsAfter = (way: string) =>
      stepsOf(route.via, readWay(way).tried).map((step) =>
        step.map(({ connector, weight }) => candidate(connector, weight)),
      );
    return {
      ...dependencies({}),
      connectorNamed: find,
      wayFor: async () => '1/all',
      waysOf: async ({ way }) => (way === undefined ? 'unmatched' : { route, steps: stepsAfter(way) }),
    };
  };

  const deliverRound = async (all: LaneDependencies, lanes: Lanes = createLanes(all)): Promise<void> => {
    await lanes.round();
    await lanes.drain();
  };

  return {
    knex,
    embedded: database.embedded,
    queue,
    reset,
    acceptRequest,
    accept: (...shapes: Partial<PlannedMessage>[]) => acceptRequest({}, shapes),
    dependencies,
    routed,
    /** Delivers these jobs as one lot. */
    deliverJobs: async (all: LaneDependencies, jobs: readonly ClaimedJob<DeliveryJob>[]): Promise<void> => {
      const ways = jobs[0] === undefined ? 'unmatched' : await all.waysOf(jobs[0].data);
      const through =
        ways === 'unmatched'
          ? undefined
          : createChoice().through({ product: 'sms', channel: '' }, ways, () => true);
      await deliverJobs(all, jobs, { through, most: Number.POSITIVE_INFINITY, learn: () => {} });
    },
    /** One round, with all that it started. */
    deliverRound,
    /** One round, with these connectors. */
    deliver: (connectors: Record<string, Connector>) => deliverRound(dependencies(connectors)),
    states: async (): Promise<string[]> => (await knex('messages').orderBy('id')).map(({ state }) => state),
    receipts: async (): Promise<string[]> =>
      (await knex('receipts').orderBy('created_at')).map(({ body }) => JSON.parse(body).state),
    balance: async () => Number((await knex('accounts').where({ id: accountId }).first()).balance),
    /** What waits for its time is due now. */
    hurry: () =>
      knex.raw('update jobs set due_at = service_now() where not claimed and due_at > service_now()'),
    close: () => database.close(),
  };
}
