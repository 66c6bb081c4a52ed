/** Builds the part of the service that answers HTTP, by hand and top to bottom. */
import { createHandlers } from '../handlers/operations.ts';
import { createBatcher } from './batch.ts';
import { cached } from './cache.ts';
import { createAcceptChatApp } from './chatapp/accept.ts';
import { recordApprovals } from './chatapp/approval-repository.ts';
import { loadChatAppFacts } from './chatapp/repository.ts';
import { createAuthentication } from './clients/authentication.ts';
import { grantToken } from './clients/grant.ts';
import { loadKeys } from './clients/keys.ts';
import { createClientRepository } from './clients/repository.ts';
import { createTokens } from './clients/tokens.ts';
import { createInboundCalls } from './connectors/inbound-calls.ts';
import { createConnectorRepository } from './connectors/repository.ts';
import { createAcceptData } from './data/accept.ts';
import { loadDataFacts } from './data/repository.ts';
import { createReportStore } from './delivery/network-reports.ts';
import { type Foundation, factsLifetimeMs, type Running } from './foundation.ts';
import { createContract } from './http/contract.ts';
import { createDocsRoutes } from './http/docs-routes.ts';
import { loadDocument } from './http/document.ts';
import { createInboundRoutes } from './http/inbound-routes.ts';
import { createOperatorRoutes } from './http/operator-routes.ts';
import { startServer } from './http/server.ts';
import { commitPlans, type Outcome } from './intake/commit.ts';
import { createIntake } from './intake/intake.ts';
import type { Plan } from './intake/plan.ts';
import { createKeyRepository } from './intake/repository.ts';
import { createLimiter } from './limits/limiter.ts';
import { createSharedWindows } from './limits/repository.ts';
import { channelFinder } from './phone/channels.ts';
import { type CountryCode, createPhoneParser } from './phone/parse.ts';
import { loadChannels } from './phone/repository.ts';
import { createAcceptSms } from './sms/accept.ts';
import { loadSmsFacts } from './sms/repository.ts';

/** Starts the part that answers HTTP. `wakeDelivery` is called when messages were queued. */
export async function startApi(
  foundation: Foundation,
  wakeDelivery: () => void,
): Promise<Running & { busy: () => boolean }> {
  const { config, publicUrl, clock, logger, database, queue, secrets, registry, events } = foundation;
  const { knex } = database;
  const document = loadDocument();

  const clients = createClientRepository(knex);
  const keys = await loadKeys(clients, secrets, clock);
  const tokens = createTokens({ keys, issuer: publicUrl, audience: publicUrl, clock });
  const authentication = createAuthentication({ tokens, findClient: clients.findClient, clock });

  const limiter = createLimiter(
    {
      sendSms: { perSecond: config.rateLimitPerSecond, noun: 'messages' },
      disburseMobileData: { perSecond: config.rateLimitPerSecond, noun: 'disbursements' },
      sendChatAppTemplate: { perSecond: config.rateLimitPerSecond, noun: 'messages' },
    },
    clock,
    database.embedded ? undefined : createSharedWindows(knex),
  );
  const batcher = createBatcher<Plan, Outcome>(
    (plans) => commitPlans(knex, plans, (jobs) => queue.insertion('deliver', jobs)),
    (plan) => plan.messages.length,
    // PGlite runs one at a time: the second is there when the first is done, without a way back to this thread.
    database.embedded
      ? { lanes: 2, maxItems: 128, maxWeight: 800 }
      : { lanes: 2, maxItems: 512, maxWeight: 2_000 },
  );
  const intake = createIntake(
    createKeyRepository(knex),
    async (plan) => {
      const outcome = await batcher.submit(plan);
      if (outcome === 'accepted') {
        events.requestAccepted(plan);
        wakeDelivery();
      }
      return outcome;
    },
    () => batcher.waitingMs() > config.overloadedAfterMs,
  );

  const parsePhone = createPhoneParser(config.defaultRegion as CountryCode);
  const loadChannelTable = cached(
    async () => {
      const channels = await loadChannels(knex);
      return { names: channels.map(({ name }) => name), find: channelFinder(channels) };
    },
    { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock },
  );
  const acceptSms = createAcceptSms({
    loadFacts: cached(
      (teamId: string, serviceId: string, templateId: string | undefined) =>
        loadSmsFacts(knex, teamId, serviceId, templateId),
      {
        lifetimeMs: factsLifetimeMs,
        limitEntries: 10_000,
        clock,
        // What was just made should be found at once.
        keep: ({ service, template, accountId }, [, , templateId]) =>
          service !== undefined &&
          accountId !== undefined &&
          (templateId === undefined || template !== undefined),
      },
    ),
    loadChannels: loadChannelTable,
    parsePhone,
    limiter,
    intake,
  });

  const acceptData = createAcceptData({
    loadFacts: cached(
      (teamId: string, campaignId: string, smsServiceId: string | undefined) =>
        loadDataFacts(knex, teamId, campaignId, smsServiceId),
      {
        lifetimeMs: factsLifetimeMs,
        limitEntries: 10_000,
        clock,
        keep: ({ campaign, smsService }) => campaign !== undefined && smsService !== undefined,
      },
    ),
    loadChannels: loadChannelTable,
    parsePhone,
    limiter,
    intake,
    clock,
  });

  const acceptChatApp = createAcceptChatApp({
    loadFacts: cached(
      (teamId: string, serviceId: string, phoneNumberId: string, templateId: string) =>
        loadChatAppFacts(knex, teamId, serviceId, phoneNumberId, templateId),
      {
        lifetimeMs: factsLifetimeMs,
        limitEntries: 10_000,
        clock,
        keep: ({ service, number, template }) =>
          service !== undefined && number !== undefined && template !== undefined,
      },
    ),
    parsePhone,
    limiter,
    intake,
    clock,
  });

  const contract = await createContract({
    document,
    handlers: createHandlers({
      acceptSms,
      acceptData,
      acceptChatApp,
      grant: (request) => grantToken(request, { findClient: clients.findClient, secrets, tokens }),
    }),
    authentication,
    trustedProxyHops: config.trustedProxyHops,
    checkedAnswers: config.checkedAnswers,
    onUndocumented: (operationId, fault) => {
      events.answerUndocumented(operationId, fault);
      // What was accepted is accepted: after a 500 its client could only guess, and send it again.
      if (!config.production) throw new Error(`${operationId} answers what is not documented: ${fault}`);
    },
  });

  let stopping = false;
  const operatorRoutes = createOperatorRoutes({
    registry,
    keys,
    issuer: publicUrl,
    document,
    checkReady: async () => {
      if (stopping) throw new Error('stopping');
      await knex.raw('select 1').timeout(2_000);
    },
  });
  const connectorRepository = createConnectorRepository(knex);
  const inbound = createInboundRoutes(
    createInboundCalls({
      load: connectorRepository.load,
      pause: async (name, reason) => {
        logger.warn({ connector: name, reason }, 'a network pauses its connector');
        await connectorRepository.pause(name, reason, undefined);
      },
      decrypt: secrets.decrypt,
      report: createReportStore(knex, () => {}),
      templates: (name, news) => recordApprovals(knex, name, news),
      lifetimeMs: factsLifetimeMs,
      clock,
    }),
  );
  const server = await startServer(
    { logger, registry, events, pages: [operatorRoutes, createDocsRoutes(document)], inbound, contract },
    config,
  );
  return {
    busy: batcher.busy,
    stop: async () => {
      stopping = true;
      await server.stop({ drainMs: config.drainDelayMs, graceMs: config.shutdownGraceMs });
    },
  };
}
