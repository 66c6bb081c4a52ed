/** The types of handlers, taken from a contract: what does not fit it does not compile. */
import type { Readable } from 'node:stream';
import type { operations, paths } from '../../../generated/openapi.d.ts';
import type { Caller } from '../../access/client.ts';
import type { IdempotencyKey } from '../../model/plan.ts';
import type { AnyCaller } from '../request-state.ts';

/** The types that openapi-typescript generates from one document, and that of its callers. */
export interface DocumentTypes {
  paths: object;
  operations: object;
  caller: AnyCaller;
}

/** spec/openapi.yaml: the document that every type below refers to unless it names another one. */
export interface ClientDocument {
  paths: paths;
  operations: operations;
  caller: Caller;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type Operations<D extends DocumentTypes> = D['operations'];
type OperationsOfPath<Item> = Item extends object ? Item[keyof Item & Method] : never;
type ServedOperation<D extends DocumentTypes> = Exclude<
  { [P in keyof D['paths']]: OperationsOfPath<D['paths'][P]> }[keyof D['paths']],
  undefined
>;

/** The operations that clients call; those of callbacks are for clients to serve. */
export type OperationId<D extends DocumentTypes = ClientDocument> = {
  [O in keyof Operations<D>]: Operations<D>[O] extends ServedOperation<D> ? O : never;
}[keyof Operations<D>] &
  string;

/** A file is streamed. */
type ContentOf<T> = T extends { content: { '*/*': string } }
  ? Readable
  : T extends { content: infer Content }
    ? Content[keyof Content]
    : undefined;
type Part<T, Name extends string> = T extends { [N in Name]?: infer P } ? P : never;
type ParametersOf<O, Place extends string> = [NonNullable<Part<Part<O, 'parameters'>, Place>>] extends [never]
  ? Record<never, never>
  : NonNullable<Part<Part<O, 'parameters'>, Place>>;

/** Includes undefined where the body is optional, and is undefined where the operation has none. */
export type BodyOf<
  O extends OperationId<D>,
  D extends DocumentTypes = ClientDocument,
> = Operations<D>[O] extends { requestBody: infer Body }
  ? ContentOf<Body>
  : ContentOf<Part<Operations<D>[O], 'requestBody'>> | undefined;
export type PathOf<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> = ParametersOf<
  Operations<D>[O],
  'path'
>;
/** Query parameters as their schemas say: numbers are numbers, not digits. */
export type QueryOf<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> = ParametersOf<
  Operations<D>[O],
  'query'
>;
type ResponsesOf<O extends OperationId<D>, D extends DocumentTypes> = Part<Operations<D>[O], 'responses'>;
export type StatusOf<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> = keyof ResponsesOf<
  O,
  D
> &
  number;
/** Undefined for a response without content, such as a 204. */
export type AnswerOf<
  O extends OperationId<D>,
  S extends StatusOf<O, D>,
  D extends DocumentTypes = ClientDocument,
> = ContentOf<ResponsesOf<O, D>[S]>;
type StatusWithoutContent<O extends OperationId<D>, D extends DocumentTypes> = {
  [S in StatusOf<O, D>]: AnswerOf<O, S, D> extends undefined ? S : never;
}[StatusOf<O, D>];

/** `Given`, with `never` at every place that `Shape` does not have: no field leaves that is not published. */
export type Exact<Shape, Given> = unknown extends Shape
  ? Given
  : Given extends readonly unknown[] | Readable
    ? Shape
    : Given extends object
      ? {
          [K in keyof Given]: K extends keyof Extract<Shape, object>
            ? Exact<Extract<Shape, object>[K], Given[K]>
            : never;
        }
      : Given;

type Headers = Readonly<Record<string, string>>;

/** A response as the contract layer sends it; a response without content has no body. */
export interface AnyReply {
  status: number;
  body: unknown;
  headers: Headers;
}

declare const madeByReply: unique symbol;

/** A response of operation `O`; only `Call.reply` makes one. */
export interface Reply<O extends string> extends AnyReply {
  [madeByReply]: O;
}

/** Makes a response. Where the document offers several media types, the header Content-Type chooses one. */
export interface MakeReply<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> {
  <S extends StatusWithoutContent<O, D>>(status: S, body?: undefined, headers?: Headers): Reply<O>;
  <S extends Exclude<StatusOf<O, D>, StatusWithoutContent<O, D>>, const B extends AnswerOf<O, S, D>>(
    status: S,
    body: B & Exact<AnswerOf<O, S, D>, B>,
    headers?: Headers,
  ): Reply<O>;
}

/** One request that has passed authentication and the schema. */
export interface Call<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> {
  path: PathOf<O, D>;
  query: QueryOf<O, D>;
  body: BodyOf<O, D>;
  /** Who calls; an operation without security has nobody. */
  caller: D['caller'];
  /** The IP address of the caller; undefined: it is unknown. */
  address: string | undefined;
  /** The Authorization header, for operations that read it themselves. */
  authorization: string | undefined;
  idempotency: IdempotencyKey | undefined;
  /** The X-Request-Id of the response if the service chose it: what is accepted gets the same id. */
  requestId: string | undefined;
  /** The trace of the call, for what follows from it; undefined: it has none. */
  trace: string | undefined;
  /** The If-Match header: the ETag of the version that the caller wants to change. */
  ifMatch: string | undefined;
  /** JSON pointers of properties in the body that have no effect. */
  ignored: readonly string[];
  reply: MakeReply<O, D>;
}

/** For responses that may be those of an earlier request with the same Idempotency-Key. */
export const replayHeaders = (replayed: boolean): Headers =>
  replayed ? { 'Idempotent-Replayed': 'true' } : {};

/** Handles a call, or throws a Rejection of the catalogue. */
export type Handler<O extends OperationId<D>, D extends DocumentTypes = ClientDocument> = (
  call: Call<O, D>,
) => Promise<Reply<O>>;

/** A handler for every operation of the contract. */
export type Handlers<D extends DocumentTypes = ClientDocument> = {
  [O in OperationId<D>]: Handler<O, D>;
};

/** A handler that is given, beside the call, what it works with. */
export type ContextHandler<Context, O extends OperationId<D>, D extends DocumentTypes> = (
  call: Call<O, D>,
  context: Context,
) => Promise<Reply<O>>;

/** Such a handler for every operation of the contract. */
export type ContextHandlers<Context, D extends DocumentTypes> = {
  [O in OperationId<D>]: ContextHandler<Context, O, D>;
};

/** The handlers with what each of their calls works with. */
export function withContext<Context, D extends DocumentTypes>(
  handlers: ContextHandlers<Context, D>,
  contextOf: (caller: D['caller']) => Context,
): Handlers<D> {
  type AnyHandler = (call: { caller: D['caller'] }, context: Context) => unknown;
  const bound = Object.entries(handlers as object as Record<string, AnyHandler>).map(
    ([id, handler]): [string, unknown] => [
      id,
      (call: { caller: D['caller'] }) => handler(call, contextOf(call.caller)),
    ],
  );
  return Object.fromEntries(bound) as Handlers<D>;
}

export function reply<O extends string>(status: number, body?: unknown, headers: Headers = {}): Reply<O> {
  return { status, body, headers } as Reply<O>;
}
