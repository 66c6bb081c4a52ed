/** Builds the accepting side: the rules of each product with their facts, and the intake that they share. */
import type { HandlerDependencies } from '../../handlers/operations.ts';
import * as chatApp from '../chatapp/plan.ts';
import { loadChatAppFacts } from '../chatapp/repository.ts';
import { cached } from '../concurrency/cache.ts';
import { createBatcher } from '../concurrency/group-commit.ts';
import * as data from '../data/plan.ts';
import { loadDataFacts } from '../data/repository.ts';
import { type AcceptDependencies, createAccept } from '../intake/accept.ts';
import { commitPlans, type Outcome } from '../intake/commit.ts';
import { commitLikelyShort } from '../intake/commit-likely-short.ts';
import { createIntake, type Intake } from '../intake/intake.ts';
import type { Plan } from '../intake/plan.ts';
import { createKeyRepository } from '../intake/repository.ts';
import { createRouter } from '../intake/short.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { createSharedWindows, loadRates } from '../limits/repository.ts';
import { type ChannelTable, channelFinder } from '../phone/channels.ts';
import { type CountryCode, createPhoneParser } from '../phone/parse.ts';
import { loadChannels } from '../phone/repository.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { createReceiptRequestCheck } from '../receipts/request.ts';
import * as sms from '../sms/plan.ts';
import { loadSmsFacts } from '../sms/repository.ts';
import { type Foundation, factsLifetimeMs } from './dependencies.ts';

/** A first request that waits this much longer than new ones may shows that refusing them does not help. */
const stuckAfterMs = 10_000;

export interface Accepting extends Pick<HandlerDependencies, 'acceptSms' | 'acceptData' | 'acceptChatApp'> {
  /** Whether requests keep the database busy. */
  busy: () => boolean;
  /** Whether the queue to the database stands still although new requests are refused. */
  stuck: () => boolean;
}

const ratesLifetimeMs = 5_000;

/** `wakeDelivery` is called when messages were queued. */
export function createAccepting(foundation: Foundation, wakeDelivery: () => void): Accepting {
  const { config, clock } = foundation;
  const { intake, ...load } = createBatchedIntake(foundation, wakeDelivery);
  const destinations = createDestinations({ allowLoopback: config.allowLoopbackCallbacks });
  const dependencies: AcceptDependencies = {
    intake,
    limiter: createRateLimiter(foundation),
    checks: {
      parsePhone: createPhoneParser(config.defaultRegion as CountryCode),
      checkReceiptRequest: createReceiptRequestCheck(destinations),
    },
    clock,
  };
  const facts = createFactLoaders(foundation);
  return {
    ...load,
    acceptSms: createAccept(dependencies, sms, async ({ caller, serviceId, templateId }) => ({
      ...(await facts.sms(caller.teamId, serviceId, templateId)),
      channels: await facts.channels(),
    })),
    acceptData: createAccept(dependencies, data, async ({ caller, campaignId, smsServiceId }) => ({
      ...(await facts.data(caller.teamId, campaignId, smsServiceId)),
      channels: await facts.channels(),
    })),
    acceptChatApp: createAccept(dependencies, chatApp, ({ caller, serviceId, phoneNumberId, templateId }) =>
      facts.chatApp(caller.teamId, serviceId, phoneNumberId, templateId),
    ),
  };
}

function createRateLimiter({ config, clock, database }: Foundation): Limiter {
  const { knex } = database;
  const perSecond = config.rateLimitPerSecond;
  return createLimiter(
    {
      [sms.operation]: { perSecond, noun: 'messages' },
      [data.operation]: { perSecond, noun: 'disbursements' },
      [chatApp.operation]: { perSecond, noun: 'messages' },
    },
    cached((teamId: string, clientId: string) => loadRates(knex, teamId, clientId), {
      lifetimeMs: ratesLifetimeMs,
      limitEntries: 10_000,
      clock,
    }),
    clock,
    database.embedded ? undefined : createSharedWindows(knex),
  );
}

/** Facts at most two seconds old. What is not there is not kept: what was just made should be found at once. */
function createFactLoaders({ clock, database: { knex } }: Foundation) {
  const lifetime = { lifetimeMs: factsLifetimeMs, clock };
  const ofRequests = { ...lifetime, limitEntries: 10_000 };
  const loadChannelTable = async (): Promise<ChannelTable> => {
    const channels = await loadChannels(knex);
    return { names: channels.map(({ name }) => name), find: channelFinder(channels) };
  };
  return {
    channels: cached(loadChannelTable, { ...lifetime, limitEntries: 1 }),
    sms: cached(
      (teamId: string, serviceId: string, templateId: string | undefined) =>
        loadSmsFacts(knex, teamId, serviceId, templateId),
      {
        ...ofRequests,
        keep: ({ service, template, accountId }, [, , templateId]) =>
          service !== undefined &&
          accountId !== undefined &&
          (templateId === undefined || template !== undefined),
      },
    ),
    data: cached(
      (teamId: string, campaignId: string, smsServiceId: string | undefined) =>
        loadDataFacts(knex, teamId, campaignId, smsServiceId),
      {
        ...ofRequests,
        keep: ({ campaign, smsService }) => campaign !== undefined && smsService !== undefined,
      },
    ),
    chatApp: cached(
      (teamId: string, serviceId: string, phoneNumberId: string, templateId: string) =>
        loadChatAppFacts(knex, teamId, serviceId, phoneNumberId, templateId),
      {
        ...ofRequests,
        keep: ({ service, number, template }) =>
          service !== undefined && number !== undefined && template !== undefined,
      },
    ),
  };
}

/** Plans of concurrent requests share a transaction. */
function createBatchedIntake(
  { config, clock, database: { knex, embedded }, events }: Foundation,
  wakeDelivery: () => void,
): { intake: Intake } & Pick<Accepting, 'busy' | 'stuck'> {
  const validitySeconds = config.messageValiditySeconds;
  const messagesOf = (plan: Plan) => plan.messages.length;
  const common = createBatcher<Plan, Outcome>(
    (plans) => commitPlans(knex, plans, validitySeconds),
    messagesOf,
    // PGlite runs one at a time: the second is there when the first is done, without a way back to this thread.
    embedded ? { lanes: 2, maxItems: 128, maxWeight: 800 } : { lanes: 2, maxItems: 512, maxWeight: 2_000 },
  );
  const apart = createBatcher<Plan, Outcome>(
    (plans) => commitLikelyShort(knex, plans, validitySeconds),
    messagesOf,
    {
      lanes: 1,
      maxItems: 128,
      maxWeight: 800,
    },
  );
  const submit = createRouter({ common, apart }, clock);
  const intake = createIntake(
    createKeyRepository(knex),
    async (plan) => {
      const outcome = await submit(plan);
      if (outcome === 'accepted') {
        events.requestAccepted(plan);
        wakeDelivery();
      }
      return outcome;
    },
    () => common.waitingMs() > config.overloadedAfterMs,
  );
  return {
    intake,
    busy: common.busy,
    stuck: () => common.waitingMs() > config.overloadedAfterMs + stuckAfterMs,
  };
}
