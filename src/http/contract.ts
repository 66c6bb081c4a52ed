/** openapi-backend on the enforced contract: route, caller, body, schema, handler, answer, in this order. */
import type { ErrorObject } from 'ajv';
import type Koa from 'koa';
import {
  type Handler as BackendHandler,
  type Context,
  OpenAPIBackend,
  type Operation,
} from 'openapi-backend';
import type { Authentication } from '../clients/authentication.ts';
import type { Caller } from '../clients/client.ts';
import { errors } from '../errors.ts';
import type { IdempotencyKey } from '../intake/plan.ts';
import { createAnswerCheck, type OnUndocumented } from './answers.ts';
import { type BodyBudgets, readBody } from './body.ts';
import { createBodyBudget } from './body-budget.ts';
import { bodiesShare, formsLimitBytes, jsonBodiesLimitBytes } from './bounds.ts';
import type { ContractDocument } from './document.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Call, type Handlers, type OperationId, type Reply, reply } from './operation.ts';
import type { Origin } from './origin.ts';
import { allowedMethods, installFastRouting } from './routing.ts';
import { createAjv } from './schemas.ts';
import { createViolationFinder, sentenceOf } from './violations.ts';

export interface ContractDependencies {
  document: ContractDocument;
  handlers: Handlers;
  authentication: Authentication;
  /** How many answers are checked against the contract: 1 all, 0.01 one in a hundred. */
  checkedAnswers: number;
  onUndocumented: OnUndocumented;
}

/** What the stages of one request leave for the next ones. */
export interface RequestState {
  origin: Origin;
  operationId?: string;
  caller?: Caller;
  /** The body as it was parsed. */
  body?: unknown;
}

/** Koa middleware that answers every operation of the contract, and 404 or 405 for all else. */
export async function createContract(dependencies: ContractDependencies): Promise<Koa.Middleware> {
  const { document, handlers, authentication } = dependencies;
  const api = new OpenAPIBackend({
    definition: document.enforced,
    // Validity of the document is judged before it is released; openapi-backend's own check knows 3.0 only.
    quick: true,
    strict: true,
    ignoreTrailingSlashes: false,
    customizeAjv: () => createAjv() as never,
  });
  await api.init();
  api.validator.preCompileRequestValidators();
  const checkAnswer = createAnswerCheck(
    api.getOperations(),
    dependencies.checkedAnswers,
    dependencies.onUndocumented,
  );
  const finders = new Map(
    api.getOperations().map((operation) => [operation.operationId, finderOf(operation)]),
  );

  const budgets: BodyBudgets = {
    json: createBodyBudget(jsonBodiesLimitBytes, bodiesShare),
    form: createBodyBudget(formsLimitBytes, bodiesShare),
  };
  api.registerSecurityHandler('oauth2', async (c: Context, ctx: Koa.Context) => {
    const state = ctx.state as RequestState;
    state.caller = await authentication.authenticate({
      authorization: ctx.get('authorization') || undefined,
      address: state.origin.address,
      scope: c.operation.security?.[0]?.oauth2?.[0],
    });
    return state.caller;
  });

  api.register({
    notFound: () => {
      throw errors.noRoute();
    },
    methodNotAllowed: (c: Context) => {
      const { method, path } = c.request;
      throw errors.methodNotAllowed(method.toUpperCase(), allowedMethods(api, path));
    },
    notImplemented: (c: Context) => {
      throw new Error(`no handler for ${c.operation.operationId}`);
    },
    unauthorizedHandler: (c: Context) => {
      throw c.security?.oauth2?.error ?? errors.missingToken();
    },
    postRoutingHandler: (c: Context, ctx: Koa.Context) => {
      if (c.operation?.operationId !== undefined) ctx.state.operationId = c.operation.operationId;
    },
    postSecurityHandler: async (c: Context, ctx: Koa.Context, request: { body?: unknown }) => {
      const open = (c.operation.security ?? []).length === 0;
      if (!open && c.security?.authorized !== true) return;
      const { caller, origin } = ctx.state as RequestState;
      const holder = caller?.teamId ?? origin.peer;
      request.body = await readBody(ctx, contentTypesOf(c.operation), budgets, holder);
      ctx.state.body = request.body;
    },
    validationFail: (c: Context, ctx: Koa.Context) => {
      const [found] = c.validation.errors ?? [];
      if (!found?.instancePath.startsWith(bodyPlace)) throw headerRejection(found);
      const inBody = { ...found, instancePath: found.instancePath.slice(bodyPlace.length) };
      const first = finders.get(c.operation.operationId)?.(ctx.state.body, inBody) ?? inBody;
      throw errors.schemaViolation(sentenceOf(first));
    },
    ...backendHandlers(handlers, checkAnswer),
  });
  installFastRouting(api);

  return async (ctx) => {
    const request = {
      method: ctx.method,
      path: ctx.path,
      headers: ctx.req.headers as Record<string, string>,
    };
    await api.handleRequest(request, ctx, request);
  };
}

/** Where openapi-backend puts the body among what it validates. */
const bodyPlace = '/requestBody';

function backendHandlers(
  handlers: Handlers,
  checkAnswer: (operationId: string, answer: Reply<OperationId>) => void,
): Record<string, BackendHandler> {
  const wrap =
    (operationId: string, handler: AnyHandler): BackendHandler =>
    async (c: Context, ctx: Koa.Context) => {
      const state = ctx.state as RequestState;
      const answer = await handler({
        path: c.request.params,
        body: state.body,
        caller: state.caller,
        address: state.origin.address,
        authorization: ctx.get('authorization') || undefined,
        idempotency: idempotencyOf(ctx),
        reply,
      });
      checkAnswer(operationId, answer);
      ctx.status = answer.status;
      ctx.set(answer.headers);
      ctx.type = 'application/json';
      ctx.body = JSON.stringify(answer.body);
    };
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handler]) => [id, wrap(id, handler as unknown as AnyHandler)]),
  );
}

/** A handler as this file sees it: what it is given has been checked against its own operation. */
type AnyHandler = (call: Record<keyof Call<OperationId>, unknown>) => Promise<Reply<OperationId>>;

function idempotencyOf(ctx: Koa.Context): IdempotencyKey | undefined {
  const key = ctx.get('idempotency-key');
  return key === '' ? undefined : { key, fingerprint: fingerprintOf(ctx.path, ctx.state.body) };
}

function finderOf(operation: Operation): ReturnType<typeof createViolationFinder> {
  const { content } = operation.requestBody as { content: Record<string, { schema: never }> };
  const [type] = contentTypesOf(operation);
  return createViolationFinder(content[type ?? '']?.schema ?? {});
}

function contentTypesOf(operation: Operation): string[] {
  return Object.keys((operation.requestBody as { content?: object } | undefined)?.content ?? {});
}

function headerRejection(violation: ErrorObject | undefined): Error {
  if (violation?.instancePath === '/header/idempotency-key') return errors.idempotencyKey();
  return new Error(`unexpected violation at ${violation?.instancePath}`);
}
