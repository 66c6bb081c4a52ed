/** Calls the management API in this process as the reader of a page, and keeps the calls so that the page can show them. */
import type { Duplex } from 'node:stream';
import type { ManagementDocument, ManagementOperationId } from '../../../handlers/management/operation.ts';
import { filled, type Operation } from '../../contract/management.ts';
import { type Answer, send } from '../../http/connections/call.ts';
import type { AnswerOf, BodyOf, PathOf, QueryOf, StatusOf } from '../../http/contract/operation.ts';
import { own } from '../../platform/text/own.ts';
import { Refused } from './refused.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a call of any operation takes. */
export interface AnyRequest {
  path?: Values;
  /** Undefined values are left out. */
  query?: Values;
  body?: unknown;
  /** The version that the reader has seen. */
  ifMatch?: string | undefined;
}

type D = ManagementDocument;

interface RequestOf<O extends ManagementOperationId> {
  path?: PathOf<O, D>;
  query?: { [Name in keyof QueryOf<O, D>]?: QueryOf<O, D>[Name] | undefined };
  body?: BodyOf<O, D>;
  ifMatch?: string | undefined;
}

/** What the operation answers if it succeeds. */
export type Succeeded<O extends ManagementOperationId> = AnswerOf<O, StatusOf<O, D> & (200 | 201 | 204), D>;

export interface Answered<Body> {
  status: number;
  body: Body;
  etag: string | undefined;
  headers: Answer['headers'];
}

/** A call that a page made, or that its button would make. */
export interface ShownCall {
  operation: Operation;
  /** Below the address of the API, with the query. */
  path: string;
  request: AnyRequest;
}

export interface Api {
  /** Throws Refused. */
  call: <O extends ManagementOperationId>(
    operation: O,
    request?: RequestOf<O>,
  ) => Promise<Answered<Succeeded<O>>>;
  /** The same for an operation that is known only when the program runs. Throws Refused. */
  send: (operation: Operation, request: AnyRequest) => Promise<Answered<unknown>>;
  /** The same for what stands beside the subject of the page, such as choices: the call is not shown. */
  look: (operation: Operation, request: AnyRequest) => Promise<Answered<unknown>>;
  /** Shows a call that the page offers and has not made. */
  offer: (operation: Operation, request: AnyRequest) => void;
  calls: readonly ShownCall[];
  operation: (id: ManagementOperationId) => Operation;
}

export interface ApiConnection {
  operations: ReadonlyMap<string, Operation>;
  url: string;
  connect: () => Duplex;
  /** The access key of the page. */
  key: string;
  /** Of the request for the page: its calls have the same in the log. */
  requestId: string;
}

export function createApi({ operations, url, connect, key, requestId }: ApiConnection): Api {
  const calls: ShownCall[] = [];
  const operation: Api['operation'] = (id) => operations.get(id) as Operation;
  const pathOf = (of: Operation, { path = {}, query }: AnyRequest) => filled(of.path, path, given(query));
  const offer: Api['offer'] = (of, request) => {
    calls.push({ operation: of, path: pathOf(of, request), request });
  };
  const look: Api['look'] = async (of, request) => {
    const { body, ifMatch } = request;
    const answer = await send(
      url,
      { method: of.method, path: pathOf(of, request), body, ifMatch },
      {
        createConnection: connect,
        headers: { authorization: `Bearer ${key}`, 'x-request-id': requestId },
      },
    );
    if (answer.status >= 400) throw refusedBy(answer);
    return {
      status: answer.status,
      body: answer.body,
      etag: headerOf(answer, 'etag'),
      headers: answer.headers,
    };
  };
  const call: Api['send'] = (of, request) => {
    offer(of, request);
    return look(of, request);
  };
  return {
    call: (id, request = {}) => call(operation(id), request as AnyRequest) as never,
    send: call,
    look,
    offer,
    calls,
    operation,
  };
}

function refusedBy(answer: Answer): Refused {
  const { desc, error_description: described } = (answer.body ?? {}) as {
    desc?: string;
    error_description?: string;
  };
  return new Refused(answer.status, {
    slug: headerOf(answer, 'error-code') ?? '',
    desc: desc ?? described ?? `The API responded with ${answer.status}.`,
    retryAfter: headerOf(answer, 'retry-after'),
  });
}

function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = own(headers, name);
  return typeof value === 'string' ? value : undefined;
}

const given = (values: Values = {}) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
