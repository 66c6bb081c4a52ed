/** Builds the HTTP part of the service by hand, top to bottom. */
import { handlers } from '../../generated/handlers.ts';
import type { Service } from '../../handlers/service.ts';
import { confirmCodes } from '../accept/codes/repository.ts';
import { limitCalls, limitInProgress, rateLimitHeaders } from '../accept/limits/limited.ts';
import type { Limiter, RateLimitState } from '../accept/limits/limiter.ts';
import { createAuthentication } from '../access/authentication.ts';
import { grantToken } from '../access/grant.ts';
import { createIssuers } from '../access/issuers/issuers.ts';
import { openKeyring } from '../access/keyring.ts';
import { type ClientRepository, createClientRepository } from '../access/repository.ts';
import { createTokens } from '../access/tokens.ts';
import { createWebOrigins } from '../access/web-origins.ts';
import { createInboundCalls } from '../connectors/runtime/inbound-calls.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import { loadDocument, scopesOf } from '../contract/document.ts';
import { limitedOperations } from '../contract/limits.ts';
import { announce } from '../delivery/announce.ts';
import { createCancel } from '../delivery/cancel/cancel.ts';
import { createReportStore } from '../delivery/reports/network-reports.ts';
import { createAdmission, watchAdmission } from '../http/admission.ts';
import { type Contract, createContract } from '../http/contract/contract.ts';
import { withContext } from '../http/contract/operation.ts';
import { withRateLimitHeaders } from '../http/contract/rate-limit-headers.ts';
import { createGuard } from '../http/guard.ts';
import { createDiscoveryRoutes } from '../http/routes/discovery-routes.ts';
import { createDocsRoutes, type DocsSettings } from '../http/routes/docs-routes.ts';
import { createDocumentRoutes, createReceiptDocumentRoutes } from '../http/routes/document-routes.ts';
import { createHealthRoutes } from '../http/routes/health-routes.ts';
import { createInboundRoutes } from '../http/routes/inbound-routes.ts';
import { startServer } from '../http/server.ts';
import { traced } from '../http/traces.ts';
import { createLearn } from '../inbound/persons.ts';
import { createRecordPreferences } from '../inbound/preferences.ts';
import { createReceive } from '../inbound/receive.ts';
import { whenReachable } from '../platform/db/reach.ts';
import { type Accepting, createAccepting } from './acceptance.ts';
import { createOptOuts } from './api/opt-outs.ts';
import { createConsequences } from './consequences.ts';
import { connectorSecretsIn, factsLifetimeMs, type ProcessContext, type Running } from './context.ts';
import { createLimits, mostInProgress } from './limits.ts';
import type { ApiListeners } from './listeners.ts';
import { createReading } from './reading.ts';
import { templateNewsIn } from './template-news.ts';
import { inboundOf } from './worker/inbound.ts';

/** What this process wakes in its worker, if it has one. */
export interface Wakes {
  /** Called when messages were queued. */
  delivery: () => void;
  /** Called when receipts were queued. */
  receipts: () => void;
}

/** Starts the part that serves clients. */
export async function startApi(
  context: ProcessContext,
  { clients: listener, publicUrl }: Pick<ApiListeners, 'clients' | 'publicUrl'>,
  { wake, demoCredentials }: { wake: Wakes } & Pick<DocsSettings, 'demoCredentials'>,
): Promise<Running & Pick<Accepting, 'busy' | 'stuck'> & { scopes: string[] }> {
  const { config, clock, logger, database, secrets, registry, events, readiness } = context;
  const { knex } = database;
  const document = loadDocument();

  const clients = createClientRepository(knex);
  const { keyring, tokens, authenticate } = await openAuthentication(context, clients, publicUrl);

  const limits = createLimits(context);
  const { busy, stuck, ...accepting } = createAccepting(context, limits.recipients, wake.delivery);
  const { stop: stopReading, ...reading } = createReading(context);
  const guard = createGuard(clock);
  const service: Service = {
    knex,
    clock,
    secrets,
    ...accepting,
    ...reading,
    optOuts: createOptOuts(context),
    cancel: createCancel({
      knex,
      consequences: createConsequences(context),
      onReached: (reached) => announce(reached, { events, onReceipts: () => wake.receipts() }),
    }),
    confirm: (requestId, team) => confirmCodes(knex, requestId, team),
    grant: (request) => grantToken(request, { findClient: clients.findClient, secrets, tokens }),
  };
  const limitedCalls = limitedOperations().filter(({ counts }) => counts === 'calls');
  const contract = await createContract({
    document,
    handlers: limitCalls(
      limitInProgress(
        withContext(handlers, () => service),
        mostInProgress,
      ),
      limitedCalls.map(({ operation }) => operation),
      limits.calls,
    ),
    authenticate,
    guard,
    checkedResponses: config.checkedResponses,
    onUndocumented: reportUndocumented(context),
  });

  const inbound = createInboundRoutes(createConnectorFinder(context, wake.receipts), guard);
  const docs = createDocsRoutes({ document, basePath: '', publicUrl, demoCredentials });
  const admission = createAdmission(clock);
  watchAdmission(registry, admission);
  const server = startServer(
    {
      logger,
      clock,
      registry,
      events,
      trustedProxyHops: config.trustedProxyHops,
      guard,
      pages: [
        createHealthRoutes(readiness),
        createDiscoveryRoutes({ keyring, issuer: publicUrl, document }),
        createDocumentRoutes(document),
        createReceiptDocumentRoutes(),
        docs.router,
      ],
      showNotFound: docs.showNotFound,
      inbound,
      contract: { ...contract, serve: traced(withLimits(contract.serve, [limits.recipients, limits.calls])) },
      listsWebOrigin: createWebOrigins(clients, publicUrl, clock),
      admission,
      limitWaits: database.limitWaits,
      onChange: context.pace.touch,
    },
    listener,
  );
  return {
    busy,
    stuck,
    scopes: scopesOf(document),
    stop: async () => {
      await server.stop({ drainMs: config.drainDelayMs, graceMs: config.shutdownGraceMs / 2 });
      await stopReading();
    },
  };
}

function reportUndocumented({ config, events }: ProcessContext) {
  return (operationId: string, fault: string): void => {
    events.responseUndocumented(operationId, fault);
    // An accepted request stays accepted: after a 500 its client could only guess, and send it again.
    if (!config.production)
      throw new Error(`${operationId} returned a response that is not documented: ${fault}`);
  };
}

/** Verifies the tokens of clients: our own, and those of trusted issuers. */
async function openAuthentication(
  { config, clock, logger, secrets, events }: ProcessContext,
  clients: ClientRepository,
  publicUrl: string,
) {
  const keyring = await whenReachable(logger, () =>
    openKeyring({
      store: clients,
      secrets,
      clock,
      onFault: (err) => logger.error({ err }, 'token keys unreadable; using the last known ones'),
    }),
  );
  const tokens = createTokens({ keyring, issuer: publicUrl, audience: publicUrl, clock });
  const verifyToken = createIssuers(config.trustedIssuers, tokens.verify, {
    clock,
    onReachable: events.issuerReachable,
  });
  const { authenticate } = createAuthentication({ verifyToken, findClient: clients.findClient, clock });
  return { keyring, tokens, authenticate };
}

/** Serves with headers that say what is left of the limits. */
function withLimits(
  serve: Contract['serve'],
  limiters: readonly Pick<Limiter, 'states'>[],
): Contract['serve'] {
  return withRateLimitHeaders(serve, async (sender, operationId) => {
    const states: RateLimitState[] = [];
    // Of what is in memory, but for the first call of a client.
    for (const limiter of limiters) states.push(...(await limiter.states(sender, operationId)));
    return rateLimitHeaders(states);
  });
}

/** What networks report is recorded here; receipts are posted by whichever process delivers. */
function createConnectorFinder(context: ProcessContext, onReceipts: () => void) {
  const { database, secrets, logger, events, clock } = context;
  const { knex } = database;
  const { load, pause, notice } = createConnectorRepository(knex);
  const inbound = inboundOf(context, onReceipts);
  return createInboundCalls({
    load,
    pause: async (name, reason) => {
      logger.warn({ connector: name, reason }, 'connector paused by its network');
      await pause(name, reason, undefined);
    },
    notice,
    openSecrets: connectorSecretsIn(secrets),
    report: createReportStore({
      knex,
      logger,
      consequences: createConsequences(context),
      events,
      onReceipts,
      submissionsStored: async () => {},
      onStored: () => {},
    }),
    templates: templateNewsIn(context),
    receiveMessages: createReceive(inbound),
    recordPreferences: createRecordPreferences(inbound),
    learnIdentities: createLearn(inbound),
    onIgnored: events.networkValueIgnored,
    onRefused: events.networkCallRefused,
    lifetimeMs: factsLifetimeMs,
    clock,
  });
}
