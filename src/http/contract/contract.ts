/** Runs openapi-backend on the enforced contract: route, caller, body, schema, handler, response, in this order. */

import { Readable } from 'node:stream';
import type { ErrorObject } from 'ajv';
import type Koa from 'koa';
import {
  type Handler as BackendHandler,
  type Context,
  type Document,
  OpenAPIBackend,
  type Operation,
  ValidationContext,
} from 'openapi-backend';
import type { Credentials } from '../../access/authentication.ts';
import { type ContractDocument, securitySchemeOf } from '../../contract/document.ts';
import type { IdempotencyKey } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import { type BodyBudgets, hasBody, mayBeLong, readBody } from '../body/body.ts';
import { createBodyBudget } from '../body/body-budget.ts';
import { fingerprintOf } from '../body/fingerprint.ts';
import { bodiesShare, formsLimitBytes, jsonBodiesLimitBytes } from '../bounds.ts';
import type { Guard } from '../guard.ts';
import { holderOf, type RequestState } from '../request-state.ts';
import { isJson } from './media-types.ts';
import {
  type AnyReply,
  type Call,
  type ClientDocument,
  type DocumentTypes,
  type Handlers,
  type OperationId,
  reply,
} from './operation.ts';
import { bodySchemaOf, requestBodyOf, requireSupportedBody } from './request-body.ts';
import { contentsOf, createAnswerCheck, mediaTypeOf, type OnUndocumented } from './response-check.ts';
import { allowedMethods, installFastRouting } from './routing.ts';
import { createAjv, parameterOptions } from './schemas.ts';
import { createUnknownFinder, type FindUnknown, headerOf } from './unknown-properties.ts';
import { createViolationFinder, parameterSentenceOf, sentenceOf, violationOf } from './violations.ts';

export interface ContractDependencies<D extends DocumentTypes> {
  document: ContractDocument;
  handlers: Handlers<D>;
  /** Rejects with a 401 or 403 of the catalogue. */
  authenticate: (credentials: Credentials) => Promise<D['caller']>;
  guard: Pick<Guard, 'admitLogin' | 'admitBody'>;
  /** How many responses are checked against the contract: 1 all, 0.01 one in a hundred. */
  checkedResponses: number;
  onUndocumented: OnUndocumented;
  /** Compiles the schema of a request at its first call, where starting soon counts more than that call's time. */
  compilesLate?: boolean;
}

export interface Contract {
  /** Serves every operation of the contract, and responds to everything else with 404 or 405. */
  serve: Koa.Middleware;
  /** The methods that the contract offers at a path; empty where it has no operation. */
  methodsAt: (path: string) => string[];
}

/** Rejects when the document has an operation that this layer cannot serve. */
export async function createContract<D extends DocumentTypes = ClientDocument>(
  dependencies: ContractDependencies<D>,
): Promise<Contract> {
  const { authenticate, guard } = dependencies;
  const api = await loadApi(dependencies.document, dependencies.compilesLate ?? false);
  const scheme = securitySchemeOf(dependencies.document);
  const operations = api.getOperations();
  const checkAnswer = createAnswerCheck(
    operations,
    dependencies.checkedResponses,
    dependencies.onUndocumented,
  );
  const unknownFinders = unknownFindersOf(operations);
  const finders = new Map(operations.map((operation) => [operation.operationId, finderOf(operation)]));

  const identify = async (c: Context, ctx: Koa.Context) => {
    const state = ctx.state as RequestState;
    state.caller = await authenticate({
      authorization: ctx.get('authorization') || undefined,
      beforeVerifying: () => guard.admitLogin(state.origin.peer),
      address: state.origin.address,
      scope: own(c.operation.security?.[0], scheme)?.[0],
      webOrigin: state.webOrigin,
    });
    return state.caller;
  };
  // A document whose operations are all open has none.
  if (scheme !== undefined) api.registerSecurityHandler(scheme, identify);

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
      throw own(c.security, scheme)?.error ?? errors.missingToken();
    },
    postRoutingHandler: (c: Context, ctx: Koa.Context) => {
      if (c.operation?.operationId === undefined) return;
      ctx.state.operationId = c.operation.operationId;
      ctx.state.route = c.operation.path;
    },
    postSecurityHandler: createBodyReader(guard),
    validationFail: (c: Context, ctx: Koa.Context) => {
      const found = violationOf(c.validation.errors);
      if (found === undefined) throw new Error('a request was refused without a violation');
      if (!found.instancePath.startsWith(bodyPlace)) throw parameterRejection(found);
      // What is missing may be there under a name that is nearly right.
      ignoredIn(unknownFinders.get(c.operation.operationId ?? ''), ctx.state.body);
      const inBody = { ...found, instancePath: found.instancePath.slice(bodyPlace.length) };
      const first = finders.get(c.operation.operationId)?.(ctx.state.body, inBody) ?? inBody;
      throw errors.schemaViolation(sentenceOf(first));
    },
    ...backendHandlers(operations, dependencies.handlers, checkAnswer, unknownFinders),
  });
  installFastRouting(api);

  return {
    methodsAt: (path) => allowedMethods(api, path),
    serve: async (ctx) => {
      const request = requestOf(ctx);
      await api.handleRequest(request, ctx, request);
    },
  };
}

/** As openapi-backend reads it. */
function requestOf({ method, path, querystring: query, req }: Koa.Context) {
  return { method, path, query, headers: req.headers as Record<string, string> };
}

/** Reads the body that an operation expects, once its caller is known. */
function createBodyReader(guard: ContractDependencies<never>['guard']) {
  const budgets: BodyBudgets = {
    json: createBodyBudget(jsonBodiesLimitBytes, bodiesShare),
    form: createBodyBudget(formsLimitBytes, bodiesShare),
  };
  return async (c: Context, ctx: Koa.Context, request: { body?: unknown }): Promise<void> => {
    const open = (c.operation.security ?? []).length === 0;
    if (!open && c.security?.authorized !== true) return;
    const expected = requestBodyOf(c.operation);
    if (expected === undefined || (!expected.required && !hasBody(ctx.req))) return;
    const { caller, origin } = ctx.state as RequestState;
    // An open operation reads credentials out of its body.
    if (caller === undefined) guard.admitLogin(origin.peer);
    else if (mayBeLong(ctx.req)) guard.admitBody(holderOf(caller));
    const holder = caller === undefined ? origin.peer : holderOf(caller);
    request.body = await readBody(ctx, Object.keys(expected.content), budgets, holder);
    ctx.state.body = request.body;
  };
}

async function loadApi(document: ContractDocument, compilesLate: boolean): Promise<OpenAPIBackend> {
  const api = new OpenAPIBackend({
    definition: document.enforced as Document,
    // Validity of the document is judged before it is released; openapi-backend's own check knows 3.0 only.
    quick: true,
    strict: true,
    ignoreTrailingSlashes: false,
    customizeAjv: (_ajv, _options, context) =>
      createAjv(context === ValidationContext.Params ? parameterOptions : {}) as never,
  });
  await api.init();
  for (const operation of api.getOperations()) requireSupportedBody(operation);
  if (!compilesLate) api.validator.preCompileRequestValidators();
  return api;
}

/** So that the log leads from one id to the other where a client chose its own, or repeats a request. */
function noteAcceptedId(state: RequestState, { body }: AnyReply): void {
  const { result = body } = (body ?? {}) as { result?: { requestId?: string } };
  const { requestId } = (result ?? {}) as { requestId?: string };
  if (requestId !== undefined && requestId !== state.requestId) state.acceptedId = requestId;
}

/** Where openapi-backend puts the body among what it validates. */
const bodyPlace = '/requestBody';

function backendHandlers(
  operations: readonly Operation[],
  handlers: object,
  checkAnswer: (operationId: string, answer: AnyReply) => void,
  unknownFinders: ReadonlyMap<string, FindUnknown>,
): Record<string, BackendHandler> {
  const wrap = (operation: Operation, handler: AnyHandler): BackendHandler => {
    const contents = contentsOf(operation);
    const findUnknown = unknownFinders.get(operation.operationId ?? '');
    return async (c: Context, ctx: Koa.Context) => {
      const state = ctx.state as RequestState;
      const query = c.validation.coerced?.query ?? {};
      requireStorable(query);
      const ignored = ignoredIn(findUnknown, state.body);
      const answer = await handler({
        path: c.request.params,
        query,
        body: state.body,
        caller: state.caller,
        address: state.origin.address,
        authorization: ctx.get('authorization') || undefined,
        idempotency: idempotencyOf(ctx),
        requestId: state.requestIdIsOurs ? state.requestId : undefined,
        trace: state.trace,
        ifMatch: ctx.get('if-match') || undefined,
        ignored,
        reply,
      });
      checkAnswer(operation.operationId ?? '', answer);
      noteAcceptedId(state, answer);
      if (ignored.length > 0) ctx.set('Ignored-Properties', headerOf(ignored));
      send(ctx, answer, mediaTypeOf(answer, contents.get(answer.status)));
    };
  };
  const byId = handlers as Record<string, AnyHandler>;
  return Object.fromEntries(
    operations.flatMap((operation) => {
      const handler = own(byId, operation.operationId);
      return handler === undefined ? [] : [[operation.operationId, wrap(operation, handler)]];
    }),
  );
}

/** A handler as this file sees it: what it is given has been checked against its own operation. */
type AnyHandler = (call: Record<keyof Call<OperationId>, unknown>) => Promise<AnyReply>;

function send(ctx: Koa.Context, { status, body, headers }: AnyReply, mediaType: string | undefined): void {
  ctx.status = status;
  ctx.set(headers);
  if (body === undefined) {
    // Null would turn any status into 204.
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  if (body instanceof Readable) {
    // Half of a file must not look like the whole.
    body.on('error', () => ctx.res.destroy());
    ctx.body = body;
    ctx.set(headers);
    return;
  }
  ctx.type = mediaType ?? 'application/json';
  ctx.body = isJson(mediaType ?? 'application/json') ? JSON.stringify(body) : (body as string | Buffer);
}

function idempotencyOf(ctx: Koa.Context): IdempotencyKey | undefined {
  const key = ctx.get('idempotency-key');
  return key === '' ? undefined : { key, fingerprint: fingerprintOf(ctx.path, ctx.state.body) };
}

/** PostgreSQL's text holds no NUL. Paths hold none: an id in them has a pattern. */
function requireStorable(query: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(query))
    if (typeof value === 'string' && value.includes('\0'))
      throw errors.schemaViolation(`Query parameter ${name} must not contain a NUL character`);
}

/** Of JSON bodies: a token endpoint must ignore what it does not know (RFC 6749). */
function unknownFindersOf(operations: readonly Operation[]): Map<string, FindUnknown> {
  const finders = new Map<string, FindUnknown>();
  for (const operation of operations) {
    const schema = requestBodyOf(operation)?.content['application/json']?.schema;
    const find = schema && createUnknownFinder(schema as Parameters<typeof createUnknownFinder>[0]);
    if (find !== undefined) finders.set(operation.operationId ?? '', find);
  }
  return finders;
}

/** The properties without effect; throws if one of them is misspelt. */
function ignoredIn(find: FindUnknown | undefined, body: unknown): readonly string[] {
  if (find === undefined) return [];
  const { ignored, misspelt } = find(body);
  if (misspelt !== undefined) throw errors.schemaViolation(misspelt);
  return ignored;
}

function finderOf(operation: Operation): ReturnType<typeof createViolationFinder> | undefined {
  const body = requestBodyOf(operation);
  const schema = body && bodySchemaOf(body);
  return schema && createViolationFinder(schema as never);
}

function parameterRejection(violation: ErrorObject): Error {
  if (violation.instancePath === '/header/idempotency-key') return errors.invalidIdempotencyKey();
  if (violation.params.missingProperty === 'if-match') return errors.ifMatchMissing();
  return errors.schemaViolation(parameterSentenceOf(violation));
}
