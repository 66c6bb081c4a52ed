/** Builds the accepting side: the rules of each product with their facts, and the intake that they share. */
import type { Service } from '../../handlers/service.ts';
import { type AcceptDependencies, createAccept } from '../accept/accept.ts';
import { createCodeGuard, guardOf } from '../accept/codes/guard.ts';
import { countCodes, findRooms, uncountCodes } from '../accept/codes/repository.ts';
import { commitPlans, type Outcome } from '../accept/commit.ts';
import { findCapped } from '../accept/commit-caps.ts';
import { commitLikelyShort } from '../accept/commit-likely-short.ts';
import { createIntake, type Intake } from '../accept/intake.ts';
import type { Limiter } from '../accept/limits/limiter.ts';
import type { OwnLimit } from '../accept/limits/own-limits.ts';
import { loadOwnLimits } from '../accept/limits/repository.ts';
import { loadBalances } from '../accept/preview/balance-repository.ts';
import { chatAppView } from '../accept/preview/chatapp.ts';
import { dataView } from '../accept/preview/data.ts';
import { createPreview } from '../accept/preview/preview.ts';
import { smsView } from '../accept/preview/sms.ts';
import { createReceiptRequestCheck } from '../accept/receipt-request.ts';
import { createKeyRepository } from '../accept/repository.ts';
import { createRouter } from '../accept/short.ts';
import type { Caller } from '../access/client.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import { createSplitting } from '../connectors/runtime/splitting.ts';
import type { Cap, Plan } from '../model/plan.ts';
import { cached } from '../platform/concurrency/cache.ts';
import { createBatcher } from '../platform/concurrency/group-commit.ts';
import type { SendChatApp } from '../products/chatapp/command.ts';
import * as chatApp from '../products/chatapp/plan.ts';
import { loadAnswered, loadChatAppFacts } from '../products/chatapp/repository.ts';
import { createFindOptedOut } from '../products/consent/opt-out-repository.ts';
import type { DisburseData } from '../products/data/command.ts';
import { findGrants } from '../products/data/grants-repository.ts';
import * as data from '../products/data/plan.ts';
import { loadDataFacts } from '../products/data/repository.ts';
import { type ChannelTable, channelTable, portedOrPrefixed } from '../products/phone/channels.ts';
import { type CountryCode, createPhoneParser, orUserId } from '../products/phone/parse.ts';
import { loadChannels } from '../products/phone/repository.ts';
import type { Quiet } from '../products/quiet-hours/departure.ts';
import { countriesOf } from '../products/quiet-hours/zones.ts';
import type { SendSms } from '../products/sms/command.ts';
import * as sms from '../products/sms/plan.ts';
import { loadSenderRules, loadSmsFacts } from '../products/sms/repository.ts';
import { createFindSenderRules } from '../products/sms/sender-rules.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { createPorted } from './api/ported.ts';
import { createQuietHours } from './api/quiet-hours.ts';
import { factsLifetimeMs, type ProcessContext } from './context.ts';

/** If the first request waits this much longer than new ones may, rejecting them does not help. */
const stuckAfterMs = 10_000;

export interface Accepting
  extends Pick<
    Service,
    'acceptSms' | 'acceptData' | 'acceptChatApp' | 'previewSms' | 'previewData' | 'previewChatApp'
  > {
  /** Whether requests keep the database busy. */
  busy: () => boolean;
  /** Whether the queue to the database stands still although new requests are rejected. */
  stuck: () => boolean;
}

/** `wakeDelivery` is called when messages were queued. */
export function createAccepting(
  context: ProcessContext,
  limiter: Pick<Limiter, 'take'>,
  wakeDelivery: () => void,
): Accepting {
  const { config, clock } = context;
  const { intake, ...load } = createBatchedIntake(context, wakeDelivery);
  const destinations = createDestinations({ allowLoopback: config.allowLoopbackCallbacks });
  const { knex } = context.database;
  const facts = createFactLoaders(context);
  const findUnwanted = createFindOptedOut(knex, context.secrets.hashPhone);
  const dependencies: AcceptDependencies = {
    intake,
    limiter,
    limitsOf: facts.limitsOf,
    codes: createCodeGuard({
      count: (requests) => countCodes(knex, requests),
      uncount: (requestId) => uncountCodes(knex, requestId),
    }),
    checks: {
      parsePhone: createPhoneParser(config.defaultRegion as CountryCode),
      checkReceiptRequest: createReceiptRequestCheck(destinations),
    },
    clock,
    findOptedOut: findUnwanted,
  };
  const previews = {
    ...dependencies,
    loadBalances: (teamId: string) => loadBalances(knex, teamId),
    loadCapped: (caps: readonly Cap[], units: number) => findCapped(knex, caps, units),
    loadRooms: async (teamId: string, limits: readonly OwnLimit[], phones: readonly string[]) =>
      guardOf(limits) === 'Refuse' ? findRooms(knex, teamId, phones) : undefined,
  };
  const parsePhone = orUserId(dependencies.checks.parsePhone);
  const previewsOfPersons = { ...previews, checks: { ...previews.checks, parsePhone } };
  const { splitting } = facts;
  return {
    ...load,
    acceptSms: createAccept(dependencies, sms, facts.ofSms),
    acceptData: createAccept(dependencies, data, facts.ofData),
    acceptChatApp: createAccept(dependencies, chatApp, facts.ofChatApp),
    previewSms: createPreview(previews, sms, facts.ofSms, smsView(splitting, findUnwanted)),
    previewData: createPreview(
      previews,
      data,
      facts.ofData,
      dataView(
        splitting,
        (campaignId, phones) => findGrants(knex, campaignId, phones, context.secrets.hashPhone),
        findUnwanted,
      ),
    ),
    previewChatApp: createPreview(
      previewsOfPersons,
      chatApp,
      facts.ofChatApp,
      chatAppView(splitting, findUnwanted),
    ),
  };
}

/** Facts at most two seconds old. Missing facts are not cached: new resources should be found at once. */
function createFactLoaders(context: ProcessContext) {
  const { config, clock } = context;
  const { knex } = context.database;
  const quietHours = createQuietHours(context);
  const quietIn = (find: Quiet['find']): Quiet => ({ find, validitySeconds: config.messageValiditySeconds });
  const lifetime = { lifetimeMs: factsLifetimeMs, clock };
  const ofRequests = { ...lifetime, limitEntries: 10_000 };
  const ported = createPorted(context);
  const loadChannelTable = async (): Promise<ChannelTable> => {
    const channels = await loadChannels(knex);
    return channelTable(channels, portedOrPrefixed(channels, await ported()));
  };
  const channels = cached(loadChannelTable, { ...lifetime, limitEntries: 1 });
  const findSenderRules = cached(
    async () => createFindSenderRules(await loadSenderRules(knex), countriesOf),
    { ...lifetime, limitEntries: 1 },
  );
  const ofSms = cached(
    (teamId: string, serviceId: string, templateId: string | undefined) =>
      loadSmsFacts(knex, teamId, serviceId, templateId),
    {
      ...ofRequests,
      keep: ({ service, template, accountId }, [, , templateId]) =>
        service !== undefined &&
        accountId !== undefined &&
        (templateId === undefined || template !== undefined),
    },
  );
  const ofData = cached(
    (teamId: string, campaignId: string, smsServiceId: string | undefined) =>
      loadDataFacts(knex, teamId, campaignId, smsServiceId),
    {
      ...ofRequests,
      keep: ({ campaign, smsService }) => campaign !== undefined && smsService !== undefined,
    },
  );
  const ofChatApp = cached(
    (teamId: string, serviceId: string, phoneNumberId: string, templateId: string | undefined) =>
      loadChatAppFacts(knex, teamId, serviceId, phoneNumberId, templateId),
    {
      ...ofRequests,
      keep: ({ service, number, template }, [, , , templateId]) =>
        service !== undefined && number !== undefined && (templateId === undefined || template !== undefined),
    },
  );
  const connectors = createConnectorRepository(knex);
  const limits = cached(
    (teamId: string, clientId: string) => loadOwnLimits(knex, teamId, clientId),
    ofRequests,
  );
  const factsOfSms = async ({
    caller,
    serviceId,
    templateId,
  }: Pick<SendSms, 'caller' | 'serviceId' | 'templateId'>) => ({
    ...(await ofSms(caller.teamId, serviceId, templateId)),
    channels: await channels(),
    quiet: quietIn(await quietHours()),
    findSenderRules: await findSenderRules(),
  });
  return {
    limitsOf: ({ teamId, clientId }: Caller) => limits(teamId, clientId),
    ofSms: factsOfSms,
    ofData: async ({ caller, campaignId, smsServiceId }: DisburseData) => ({
      ...(await ofData(caller.teamId, campaignId, smsServiceId)),
      channels: await channels(),
      findSenderRules: await findSenderRules(),
    }),
    ofChatApp: async (command: SendChatApp) => {
      const { caller, serviceId, phoneNumberId } = command;
      const isReply = 'inReplyTo' in command;
      const fallback = isReply ? undefined : command.fallback;
      return {
        ...(await ofChatApp(
          caller.teamId,
          serviceId,
          phoneNumberId,
          isReply ? undefined : command.templateId,
        )),
        ...(isReply ? { answered: await loadAnswered(knex, caller.teamId, command.inReplyTo) } : {}),
        quiet: quietIn(await quietHours()),
        sms: fallback && (await factsOfSms({ templateId: undefined, ...fallback, caller })),
      };
    },
    /** How the connectors submit texts. */
    splitting: cached(async () => createSplitting(await connectors.load()), { ...lifetime, limitEntries: 1 }),
  };
}

/** Plans of concurrent requests share a transaction. */
function createBatchedIntake(
  { config, clock, database: { knex, embedded }, events }: ProcessContext,
  wakeDelivery: () => void,
): { intake: Intake } & Pick<Accepting, 'busy' | 'stuck'> {
  const validitySeconds = config.messageValiditySeconds;
  const messagesOf = (plan: Plan) => plan.messages.length;
  const common = createBatcher<Plan, Outcome>(
    (plans) => commitPlans(knex, plans, validitySeconds),
    messagesOf,
    // PGlite runs one at a time: the second is there when the first is done, without a way back to this thread.
    embedded
      ? { concurrency: 2, maxItems: 128, maxWeight: 800 }
      : { concurrency: 2, maxItems: 512, maxWeight: 2_000, gatherMs: 5 },
  );
  const apart = createBatcher<Plan, Outcome>(
    (plans) => commitLikelyShort(knex, plans, validitySeconds),
    messagesOf,
    {
      concurrency: 1,
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
