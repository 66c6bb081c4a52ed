/** Builds the rate limits of all operations, and says which operation has which. */

import * as chatApp from '../chatapp/plan.ts';
import { cached } from '../concurrency/cache.ts';
import * as data from '../data/plan.ts';
import type { OperationId } from '../http/contract/operation.ts';
import { createLimiter, type Limiter, type RateLimit } from '../limits/limiter.ts';
import { createSharedWindows, loadRates } from '../limits/repository.ts';
import * as sms from '../sms/plan.ts';
import type { ProcessContext } from './context.ts';

const ratesLifetimeMs = 5_000;
/** Each may keep a connection open for ten seconds. */
const testsPerSecond = 5;

/** Of sends and their previews: recipients, at the rate of the team and of the client. */
export function createRecipientLimits({ config, clock, database }: ProcessContext): Limiter {
  const { knex } = database;
  const perSecond = config.rateLimitPerSecond;
  return createLimiter(
    {
      [sms.operation]: { perSecond, noun: 'messages' },
      [data.operation]: { perSecond, noun: 'disbursements' },
      [chatApp.operation]: { perSecond, noun: 'messages' },
      previewSms: { perSecond, noun: 'previewed messages' },
      previewMobileData: { perSecond, noun: 'previewed disbursements' },
      previewChatAppTemplate: { perSecond, noun: 'previewed messages' },
    } satisfies { [O in OperationId]?: RateLimit },
    cached((teamId: string, clientId: string) => loadRates(knex, teamId, clientId), {
      lifetimeMs: ratesLifetimeMs,
      limitEntries: 10_000,
      clock,
    }),
    clock,
    database.embedded ? undefined : createSharedWindows(knex),
  );
}

const reads = [
  'listMessages',
  'getRequest',
  'listRequestMessages',
  'listReceipts',
  'resendReceipt',
  'replayReceipts',
  'listBalances',
  'listServices',
  'listTemplates',
  'listCampaigns',
] as const satisfies readonly OperationId[];

/** The operations whose calls are limited as such. */
export const limitedCalls = [...reads, 'testReceipt'] as const satisfies readonly OperationId[];

/** Of all other operations of a team: calls to this process, so that a read costs no statement more. */
export function createCallLimits({ config, clock }: ProcessContext): Limiter {
  const noun = 'requests';
  const perSecond = config.readRateLimitPerSecond;
  return createLimiter(
    {
      ...Object.fromEntries(reads.map((operation) => [operation, { perSecond, noun }])),
      testReceipt: { perSecond: testsPerSecond, noun },
    },
    async () => ({ team: null, client: null }),
    clock,
  );
}
