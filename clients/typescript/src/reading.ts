/** Looks up messages, requests and receipts, and what a team has to send with; has receipts posted again, and keeps opt-outs. */
import type { Caller, CallOptions } from './caller.ts';
import type { Body, OperationId, Query, Result } from './operations.ts';
import { instantOf } from './receipt-request.ts';

/** Part of a list. There is more of it if there is `next`. */
export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** What the pages of a list hold. */
export type Item<Id extends OperationId> = Result<Id> extends Page<infer One> ? One : never;

/** A list that is read page by page or as a whole. */
export class List<Filter extends object, Item> {
  readonly #read: (filter: Filter, options: CallOptions) => Promise<Page<Item>>;

  constructor(read: (filter: Filter, options: CallOptions) => Promise<Page<Item>>) {
    this.#read = read;
  }

  /** One page. Pass its `next` as `cursor` to get the next one. */
  list(filter?: Filter, options: CallOptions = {}): Promise<Page<Item>> {
    return this.#read({ ...filter } as Filter, options);
  }

  /** All items, page by page as they are needed. */
  each(filter?: Filter, options: CallOptions = {}): AsyncGenerator<Item, void> {
    return eachItem((cursor) => this.#read({ ...filter, ...cursor } as Filter, options));
  }
}

/** A list of what can also be read by its id. */
export class Resources<Filter extends object, Item, Choice extends object = object> extends List<
  Filter,
  Item
> {
  readonly #get: (id: string, choice: Choice | undefined, options?: CallOptions) => Promise<Item>;

  constructor(
    read: (filter: Filter, options: CallOptions) => Promise<Page<Item>>,
    get: (id: string, choice: Choice | undefined, options?: CallOptions) => Promise<Item>,
  ) {
    super(read);
    this.#get = get;
  }

  /** `choice`: which product, if two have the same id. */
  get(id: string, choice?: Choice, options?: CallOptions): Promise<Item> {
    return this.#get(id, choice, options);
  }
}

export class Requests extends List<Query<'listRequests'>, Item<'listRequests'>> {
  readonly #call: Caller;

  constructor(call: Caller) {
    super((query, options) => call('listRequests', { query }, options));
    this.#call = call;
  }

  /** What was accepted, and how many of its messages are in which state. */
  get(requestId: string, options?: CallOptions): Promise<Result<'getRequest'>> {
    return this.#call('getRequest', { path: { requestId } }, options);
  }

  /** Cancels what is not submitted yet. Each message is either cancelled and refunded, or sent. */
  cancel(requestId: string, options?: CallOptions): Promise<Result<'cancelRequest'>> {
    return this.#call('cancelRequest', { path: { requestId } }, options);
  }

  /** One page of its messages, in the order of the request. */
  listMessages(
    requestId: string,
    query: Query<'listRequestMessages'> = {},
    options?: CallOptions,
  ): Promise<Page<Item<'listRequestMessages'>>> {
    return this.#call('listRequestMessages', { path: { requestId }, query }, options);
  }

  /** All its messages, page by page as they are needed. */
  eachMessage(
    requestId: string,
    query: Query<'listRequestMessages'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Item<'listRequestMessages'>, void> {
    return eachItem((cursor) => this.listMessages(requestId, { ...query, ...cursor }, options));
  }
}

export class Receipts extends List<Query<'listReceipts'>, Item<'listReceipts'>> {
  readonly #call: Caller;

  constructor(call: Caller) {
    super((query, options) => call('listReceipts', { query }, options));
    this.#call = call;
  }

  /** The receipt with this `webhook-id`, and the attempts to post it. */
  get(receiptId: string, options?: CallOptions): Promise<Result<'getReceipt'>> {
    return this.#call('getReceipt', { path: { receiptId } }, options);
  }

  /** Has a receipt posted again now. */
  resend(receiptId: string, options?: CallOptions): Promise<Result<'resendReceipt'>> {
    return this.#call('resendReceipt', { path: { receiptId } }, options);
  }

  /** Has receipts of a period posted again: those that were given up, or all. While `more` is true, the same call goes on. */
  replay(
    {
      since,
      until,
      ...choice
    }: Omit<Body<'replayReceipts'>, 'since' | 'until'> & {
      since: string | Date;
      until?: string | Date | undefined;
    },
    options?: CallOptions,
  ): Promise<Result<'replayReceipts'>> {
    const end = until === undefined ? {} : { until: instantOf(until) };
    return this.#call('replayReceipts', { body: { since: instantOf(since), ...end, ...choice } }, options);
  }

  /** Posts a signed sample to a URL and resolves with what your endpoint responded. */
  test(body: Body<'testReceipt'>, options?: CallOptions): Promise<Result<'testReceipt'>> {
    return this.#call('testReceipt', { body }, options);
  }
}

export class OptOuts extends List<Query<'listOptOuts'>, Item<'listOptOuts'>> {
  readonly #call: Caller;

  constructor(call: Caller) {
    super((query, options) => call('listOptOuts', { query }, options));
    this.#call = call;
  }

  /** Numbers that want no more messages. */
  add(body: Body<'addOptOuts'>, options?: CallOptions): Promise<Result<'addOptOuts'>> {
    return this.#call('addOptOuts', { body }, options);
  }

  /** Numbers that want messages again; `consent` says how and when the people agreed. */
  remove(body: Body<'removeOptOuts'>, options?: CallOptions): Promise<Result<'removeOptOuts'>> {
    return this.#call('removeOptOuts', { body }, options);
  }
}

async function* eachItem<Item>(
  read: (cursor: { cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void> {
  let next: string | undefined;
  do {
    const page = await read(next === undefined ? {} : { cursor: next });
    yield* page.items;
    next = page.next;
  } while (next !== undefined);
}
