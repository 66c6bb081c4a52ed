/** Judges calls as the service does, with its rules but without its database: responds or rejects, and plans receipts. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { disburseMobileData } from '../../handlers/disburseMobileData.ts';
import { issueToken } from '../../handlers/issueToken.ts';
import { sendChatAppTemplate } from '../../handlers/sendChatAppTemplate.ts';
import { sendSms } from '../../handlers/sendSms.ts';
import * as chatApp from '../chatapp/plan.ts';
import type { Caller, Client } from '../clients/client.ts';
import { grantToken } from '../clients/grant.ts';
import { systemClock } from '../clock.ts';
import * as data from '../data/plan.ts';
import { errors } from '../errors.ts';
import { type ContractDocument, scopesOf } from '../http/contract/document.ts';
import { type ClientDocument, type Handlers, type OperationId, reply } from '../http/contract/operation.ts';
import { type ListeningServer, startOpenServer } from '../http/front/open-server.ts';
import type { Accept, Checks, Command, Rules } from '../intake/accept.ts';
import type { Accepted, Plan } from '../intake/plan.ts';
import { createPhoneParser } from '../phone/parse.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { createReceiptRequestCheck } from '../receipts/request.ts';
import * as sms from '../sms/plan.ts';
import { chatAppFacts, checkedCommand, dataFacts, smsFacts } from './facts.ts';
import { createPreviewHandlers } from './previews.ts';

export interface Judge extends ListeningServer {
  /** The plan of an accepted request, once. */
  planOf: (requestId: string) => Plan | undefined;
  /** Whether its response to the operation is whole, and not only a verdict. */
  responds: (operation: string) => boolean;
}

export async function startJudge(document: ContractDocument, logger: Logger): Promise<Judge> {
  const plans = new Map<string, Plan>();
  const checks: Checks = {
    parsePhone: createPhoneParser('KE'),
    checkReceiptRequest: createReceiptRequestCheck(createDestinations({ allowLoopback: true })),
  };
  const acceptBy = createAcceptBy(checks, (plan) => plans.set(plan.accepted.requestId, plan));
  const acceptChatApp = acceptBy(chatApp, chatAppFacts);
  const scopes = scopesOf(document);
  const responding = {
    sendSms: sendSms(acceptBy(sms, smsFacts)),
    disburseMobileData: disburseMobileData(acceptBy(data, dataFacts)),
    sendChatAppTemplate: sendChatAppTemplate((command) => acceptChatApp(checkedCommand(command))),
    ...createPreviewHandlers(checks),
  };
  const judged = {
    ...responding,
    issueToken: issueToken((request) => grantToken(request, anyClients(scopes))),
  };
  const server = await startOpenServer<ClientDocument>({
    document,
    handlers: { ...othersOf(document), ...judged } as Handlers,
    callerOf: createCallerOf(scopes),
    checkedResponses: 0,
    clock: systemClock,
    logger,
  });
  return {
    ...server,
    planOf: (requestId) => {
      const plan = plans.get(requestId);
      plans.delete(requestId);
      return plan;
    },
    responds: (operation) => Object.hasOwn(responding, operation),
  };
}

function createAcceptBy(checks: Checks, remember: (plan: Plan) => void) {
  return <C extends Command, Facts, Admitted, A extends Accepted>(
    rules: Rules<C, Facts, Admitted, A>,
    factsOf: (command: C) => Facts,
  ): Accept<C, A> =>
    async (command) => {
      const facts = factsOf(command);
      const asked = { command, facts, nowMs: systemClock.now(), requestId: randomUUID() };
      const plan = rules.plan(asked, rules.admit(asked, checks));
      remember(plan);
      return { accepted: plan.accepted, replayed: false };
    };
}

/** Any id and secret are those of a client with all scopes. Prism has its token. */
function anyClients(scopes: readonly string[]): Parameters<typeof grantToken>[1] {
  const client: Client = {
    id: 'mock',
    teamId: 'mock',
    name: 'Any client',
    secretHashes: [],
    signingSecrets: [],
    scopes,
    allowedAddresses: [],
    webOrigins: [],
    issuer: null,
    enabled: true,
    tokensValidFromMs: 0,
    ratePerSecond: null,
  };
  return {
    findClient: async () => client,
    secrets: { matches: () => true },
    tokens: { issue: async () => ({ accessToken: '', expiresInSeconds: 0, scope: '' }) },
  };
}

/** Any token is that of a client with all scopes. */
function createCallerOf(scopes: readonly string[]): (authorization: string | undefined) => Caller {
  return (authorization) => {
    if (authorization === undefined || !/^bearer +\S/i.test(authorization)) throw errors.missingToken();
    return { clientId: 'mock', teamId: 'mock', scopes };
  };
}

/** A request that fits the document gets no more than that from the judge: Prism has the response. */
function othersOf({ published }: ContractDocument): Record<string, () => Promise<unknown>> {
  const operations = Object.values(published.paths ?? {}).flatMap((item) => Object.values(item as object));
  return Object.fromEntries(
    operations.flatMap(({ operationId }: { operationId?: string }) =>
      operationId === undefined ? [] : [[operationId, async () => reply<OperationId>(200)]],
    ),
  );
}
