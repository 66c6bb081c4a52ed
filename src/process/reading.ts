/** Builds the operations that read: lists, searches, and receipts, which can be posted again. */
import { randomUUID } from 'node:crypto';
import type { HandlerDependencies } from '../../handlers/operations.ts';
import { type CountryCode, createPhoneParser } from '../phone/parse.ts';
import { readBalances } from '../reading/balance-repository.ts';
import { createList } from '../reading/lists.ts';
import { readMessages } from '../reading/message-repository.ts';
import { createSearchCheck } from '../reading/message-search.ts';
import { createResend, type ReceiptLog, readReceipts } from '../reading/receipt.ts';
import { getRequest, readRequestMessages } from '../reading/request-repository.ts';
import { readCampaigns, readServices, readTemplates } from '../reading/resource-repository.ts';
import { createCallbackClient } from '../receipts/callback/client.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { findReceipt, listReceipts } from '../receipts/log-repository.ts';
import { replayReceipts, resendReceipt } from '../receipts/resend-repository.ts';
import { createPostSample } from '../receipts/sample.ts';
import { smsReceipt } from '../sms/receipt.ts';
import type { ProcessContext, Running } from './context.ts';
import { createSigningKeys } from './worker/receipts.ts';

export type Reading = Pick<
  HandlerDependencies,
  | 'readReceipts'
  | 'resendReceipt'
  | 'replayReceipts'
  | 'postSample'
  | 'readMessages'
  | 'checkMessageSearch'
  | 'getRequest'
  | 'readRequestMessages'
  | 'readBalances'
  | 'readServices'
  | 'readTemplates'
  | 'readCampaigns'
>;

export function createReading(context: ProcessContext): { reading: Reading } & Running {
  const { config, clock, database, secrets } = context;
  const { knex } = database;
  const destinations = createDestinations({ allowLoopback: config.allowLoopbackCallbacks });
  const client = createCallbackClient({ destinations });
  const log: ReceiptLog = {
    list: (teamId, filter) => listReceipts(knex, teamId, filter),
    find: (teamId, id) => findReceipt(knex, teamId, id),
    resend: (teamId, id) => resendReceipt(knex, teamId, id),
    replay: (teamId, replay) => replayReceipts(knex, teamId, replay),
  };
  const reading: Reading = {
    readReceipts: createList(secrets, 'receipts', readReceipts(log, clock)),
    resendReceipt: createResend(log),
    replayReceipts: log.replay,
    postSample: createPostSample({
      client,
      destinations,
      signingKeysOf: createSigningKeys(context),
      sample: () => sampleReceipt(clock.now()),
      clock,
    }),
    readMessages: createList(secrets, 'messages', readMessages(knex)),
    checkMessageSearch: createSearchCheck(
      createPhoneParser(config.defaultRegion as CountryCode),
      secrets.hashPhone,
      clock,
    ),
    getRequest: getRequest(knex),
    readRequestMessages: createList(secrets, 'request messages', readRequestMessages(knex)),
    readBalances: createList(secrets, 'balances', readBalances(knex)),
    readServices: createList(secrets, 'services', readServices(knex)),
    readTemplates: createList(secrets, 'templates', readTemplates(knex)),
    readCampaigns: createList(secrets, 'campaigns', readCampaigns(knex)),
  };
  return { reading, stop: client.close };
}

function sampleReceipt(nowMs: number): object {
  return smsReceipt({
    requestId: randomUUID(),
    correlator: 'test',
    phone: '+254711000000',
    sequence: 1,
    state: 'Delivered',
    reachedAt: new Date(nowMs),
    reason: null,
    reasonCode: null,
  });
}
