/** The types of handlers, taken from the contract: what does not fit it does not compile. */
import type { operations, paths } from '../../generated/openapi.d.ts';
import type { Caller } from '../clients/client.ts';
import type { IdempotencyKey } from '../intake/plan.ts';

type PathOperation = { [P in keyof paths]: paths[P] extends { post: infer O } ? O : never }[keyof paths];

/** The operations that clients call; those of callbacks are theirs to answer. */
export type OperationId = {
  [O in keyof operations]: operations[O] extends PathOperation ? O : never;
}[keyof operations];

type ContentOf<T> = T extends { content: infer Content } ? Content[keyof Content] : never;

export type BodyOf<O extends OperationId> = ContentOf<operations[O]['requestBody']>;
export type PathOf<O extends OperationId> = operations[O]['parameters']['path'];
export type StatusOf<O extends OperationId> = keyof operations[O]['responses'] & number;
export type AnswerOf<O extends OperationId, S extends StatusOf<O>> = ContentOf<operations[O]['responses'][S]>;

/** `Given`, with `never` at every place that `Shape` does not have: no field leaves that is not published. */
export type Exact<Shape, Given> = Given extends readonly unknown[]
  ? Shape
  : Given extends object
    ? { [K in keyof Given]: K extends keyof Shape ? Exact<Shape[K], Given[K]> : never }
    : Given;

declare const madeByReply: unique symbol;

/** An answer of operation `O`; only `Call.reply` makes one. */
export interface Reply<O extends OperationId> {
  status: StatusOf<O>;
  body: unknown;
  headers: Readonly<Record<string, string>>;
  [madeByReply]: O;
}

/** One request that has passed authentication and the schema. */
export interface Call<O extends OperationId> {
  path: PathOf<O>;
  body: BodyOf<O>;
  /** Who calls; an operation without security has nobody. */
  caller: Caller;
  /** The IP address of the caller; undefined: it is unknown. */
  address: string | undefined;
  /** The Authorization header, for operations that read it themselves. */
  authorization: string | undefined;
  idempotency: IdempotencyKey | undefined;
  reply: <S extends StatusOf<O>, const B extends AnswerOf<O, S>>(
    status: S,
    body: B & Exact<AnswerOf<O, S>, B>,
    headers?: Readonly<Record<string, string>>,
  ) => Reply<O>;
}

/** For answers that may be those of an earlier request with the same Idempotency-Key. */
export const replayHeaders = (replayed: boolean): Readonly<Record<string, string>> =>
  replayed ? { 'Idempotent-Replayed': 'true' } : {};

/** Answers a call, or throws a Rejection of the catalogue. */
export type Handler<O extends OperationId> = (call: Call<O>) => Promise<Reply<O>>;

/** A handler for every operation of the contract. */
export type Handlers = { [O in OperationId]: Handler<O> };

export function reply<O extends OperationId>(
  status: StatusOf<O>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply<O> {
  return { status, body, headers } as Reply<O>;
}
