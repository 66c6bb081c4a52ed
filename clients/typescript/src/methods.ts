/** The methods of the client, as the OpenAPI document says: written by npm run generate. */
import type { Caller, CallOptions } from './caller.ts';
import { type ChatAppRequest, chatappBody } from './chatapp.ts';
import { type DataRequest, dataBody } from './data.ts';
import type { Body, Query, Result } from './operations.ts';
import { eachItem, type Item } from './pages.ts';
import { type SmsRequest, smsBody } from './sms.ts';

/** Text messages, free-form or from templates. */
class Sms {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Returns once the request is accepted for every recipient; receipts report the outcomes.
   *
   * @throws {TarishiError} 400: The request breaks a rule of the contract; nothing was debited, stored
   *   or queued.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   * @throws {TarishiError} 409: The Idempotency-Key is in use: the first request with it is still
   *   running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
   */
  async send(request: SmsRequest, options?: CallOptions): Promise<Result<'sendSms'>['result']> {
    return (
      await this.#call('sendSms', { path: { serviceId: request.service }, body: smsBody(request) }, options)
    ).result;
  }

  /**
   * What `send` would do: the text, units and problems of each recipient. Sends and costs nothing.
   *
   * @throws {TarishiError} 400: The whole request breaks a rule, as it would if it were sent. Faults
   *   of single recipients are in the 200 response.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   */
  preview(request: SmsRequest, options?: CallOptions): Promise<Result<'previewSms'>> {
    return this.#call(
      'previewSms',
      { path: { serviceId: request.service }, body: smsBody(request) },
      options,
    );
  }
}

/** Mobile-data bundles under a campaign, each with an optional SMS. */
class Data {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Returns once the request is accepted for every recipient; receipts report the outcomes.
   *
   * @throws {TarishiError} 400: The request breaks a rule of the contract; nothing was debited, stored
   *   or queued.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   * @throws {TarishiError} 409: The Idempotency-Key is in use: the first request with it is still
   *   running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
   */
  disburse(request: DataRequest, options?: CallOptions): Promise<Result<'disburseMobileData'>> {
    return this.#call(
      'disburseMobileData',
      { path: { campaignId: request.campaign }, body: dataBody(request) },
      options,
    );
  }

  /**
   * What `disburse` would do: the bundle, cost and problems of each recipient. Gives and costs nothing.
   *
   * @throws {TarishiError} 400: The whole request breaks a rule, as it would if it were sent. Faults
   *   of single recipients are in the 200 response.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   */
  preview(request: DataRequest, options?: CallOptions): Promise<Result<'previewMobileData'>> {
    return this.#call(
      'previewMobileData',
      { path: { campaignId: request.campaign }, body: dataBody(request) },
      options,
    );
  }
}

/** Approved templates through a chat-app business account. */
class ChatApp {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Returns once the request is accepted for every recipient; receipts report the outcomes.
   *
   * @throws {TarishiError} 400: The request breaks a rule of the contract; nothing was debited, stored
   *   or queued.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   * @throws {TarishiError} 409: The Idempotency-Key is in use: the first request with it is still
   *   running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
   */
  async send(
    request: ChatAppRequest,
    options?: CallOptions,
  ): Promise<Result<'sendChatAppTemplate'>['result']> {
    return (
      await this.#call(
        'sendChatAppTemplate',
        { path: { serviceId: request.service }, body: chatappBody(request) },
        options,
      )
    ).result;
  }

  /**
   * What `send` would do: what each recipient would see, the cost and problems. Sends and costs nothing.
   *
   * @throws {TarishiError} 400: The whole request breaks a rule, as it would if it were sent. Faults
   *   of single recipients are in the 200 response.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   */
  preview(request: ChatAppRequest, options?: CallOptions): Promise<Result<'previewChatAppTemplate'>> {
    return this.#call(
      'previewChatAppTemplate',
      { path: { serviceId: request.service }, body: chatappBody(request) },
      options,
    );
  }
}

/** The messages of your team that match all filters, newest first, each with its state and timeline. */
class Messages {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Find messages by phone number, request, correlator, product, state or time.
   *
   * The messages of your team that match all filters, newest first, each with its state and timeline.
   *
   * A page looks at a limited number of messages. If few of them match, it has fewer items than `limit`,
   * or none: continue while the page has `next`.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listMessages'> = {}, options?: CallOptions): Promise<Result<'listMessages'>> {
    return this.#call('listMessages', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listMessages'> = {}, options?: CallOptions): AsyncGenerator<Item<'listMessages'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }
}

/** The requests of your team that match all filters, newest first, with the states of their messages. */
class Requests {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List your requests.
   *
   * The requests of your team that match all filters, newest first, with the states of their messages.
   *
   * A page looks at a limited number of requests. If few of them match, it has fewer items than `limit`,
   * or none: continue while the page has `next`.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listRequests'> = {}, options?: CallOptions): Promise<Result<'listRequests'>> {
    return this.#call('listRequests', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listRequests'> = {}, options?: CallOptions): AsyncGenerator<Item<'listRequests'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get one of your requests.
   *
   * What was accepted, and how many of its messages are in which state.
   *
   * @param requestId The `requestId` of the response that accepted the request.
   * @throws {TarishiError} 404: The caller's team has no such request.
   */
  get(requestId: string, options?: CallOptions): Promise<Result<'getRequest'>> {
    return this.#call('getRequest', { path: { requestId } }, options);
  }

  /**
   * List the messages of one of your requests.
   *
   * In the order of the request, each with its state and timeline.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @param requestId The `requestId` of the response that accepted the request.
   * @throws {TarishiError} 400: A query parameter is not valid.
   * @throws {TarishiError} 404: The caller's team has no such request.
   */
  listMessages(
    requestId: string,
    query: Query<'listRequestMessages'> = {},
    options?: CallOptions,
  ): Promise<Result<'listRequestMessages'>> {
    return this.#call('listRequestMessages', { path: { requestId }, query }, options);
  }

  /**
   * Like `listMessages`, but iterates over all pages and fetches each one as it is needed; `limit` is
   * the page size.
   */
  eachMessage(
    requestId: string,
    query: Query<'listRequestMessages'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Item<'listRequestMessages'>, void> {
    return eachItem((cursor) => this.listMessages(requestId, { ...query, ...cursor }, options));
  }

  /**
   * Cancel what is not submitted yet.
   *
   * Messages of the request that wait are not sent, and their units are refunded. Messages that are
   * being submitted are not stopped: each is either cancelled and refunded, or sent. A cancelled message
   * with a `receiptRequest` gets a receipt with `Cancelled`.
   *
   * A repeated call has the same response, unless it could cancel more: a message that its network did
   * not take at the first try may wait again.
   *
   * @param requestId The `requestId` of the response that accepted the request.
   * @throws {TarishiError} 404: The caller's team has no such request.
   * @throws {TarishiError} 409: All messages of the request had left.
   */
  cancel(requestId: string, options?: CallOptions): Promise<Result<'cancelRequest'>> {
    return this.#call('cancelRequest', { path: { requestId } }, options);
  }

  /**
   * Confirm a one-time code.
   *
   * Says that the person entered the code of this request, or of all its recipients: send each code in a
   * request of its own. From what is confirmed, the guard against SMS pumping learns where real people
   * are; where your team has one, codes that nobody confirms soon stop.
   *
   * Codes are confirmed within 24 hours. A repeated call has the same response and changes nothing.
   *
   * @param requestId The `requestId` of the response that accepted the request.
   * @throws {TarishiError} 404: The caller's team has no such request.
   */
  confirm(requestId: string, options?: CallOptions): Promise<Result<'confirmRequest'>> {
    return this.#call('confirmRequest', { path: { requestId } }, options);
  }
}

/**
 * The messages that people sent to the senders of your team, newest first. Texts and numbers are kept
 * as long as those of your own messages.
 */
class Inbound {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List what people sent to you.
   *
   * The messages that people sent to the senders of your team, newest first. Texts and numbers are kept
   * as long as those of your own messages.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(
    query: Query<'listInboundMessages'> = {},
    options?: CallOptions,
  ): Promise<Result<'listInboundMessages'>> {
    return this.#call('listInboundMessages', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(
    query: Query<'listInboundMessages'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Item<'listInboundMessages'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get the file of an inbound message.
   *
   * The file that a person sent, of at most 100 MiB, as the network has it now: chat apps keep files for
   * some days only. `Content-Type` is its type as the network said it, which a program should not trust.
   * The file is streamed: if the network fails on the way, the connection ends before `Content-Length`
   * is reached.
   *
   * @param id The `messageId` of the inbound message.
   * @throws {TarishiError} 404: The caller's team has no such message, or its file is not there.
   */
  media(id: string, options?: CallOptions): Promise<Result<'getInboundMedia'>> {
    return this.#call('getInboundMedia', { path: { messageId: id } }, options);
  }
}

/**
 * The receipts of your team, newest first, each with the latest attempts to post it: when, how long it
 * took, the status and the beginning of the response.
 */
class Receipts {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List receipts and their attempts.
   *
   * The receipts of your team, newest first, each with the latest attempts to post it: when, how long it
   * took, the status and the beginning of the response.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listReceipts'> = {}, options?: CallOptions): Promise<Result<'listReceipts'>> {
    return this.#call('listReceipts', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listReceipts'> = {}, options?: CallOptions): AsyncGenerator<Item<'listReceipts'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get one receipt.
   *
   * The receipt with this `webhook-id`, and the attempts to post it.
   *
   * @param receiptId The `webhook-id` of the receipt.
   * @throws {TarishiError} 404: The caller's team has no such receipt.
   */
  get(receiptId: string, options?: CallOptions): Promise<Result<'getReceipt'>> {
    return this.#call('getReceipt', { path: { receiptId } }, options);
  }

  /**
   * Resend a receipt.
   *
   * Resends the receipt now, whatever its state, with the same `webhook-id` and a new signature. If it
   * fails, its attempts begin again.
   *
   * @param receiptId The `webhook-id` of the receipt.
   * @throws {TarishiError} 404: The caller's team has no such receipt.
   */
  resend(receiptId: string, options?: CallOptions): Promise<Result<'resendReceipt'>> {
    return this.#call('resendReceipt', { path: { receiptId } }, options);
  }

  /**
   * Replay receipts.
   *
   * Has the receipts of a period posted again, each with its own `webhook-id`: those whose attempts are
   * exhausted, or all. `callbackUrl` and `requestId` narrow it to one endpoint or request. Receipts that
   * still wait for an attempt are left alone, and so are receipts that were replayed within the last
   * hour: the same replay twice posts nothing twice.
   *
   * One call replays up to 10,000 receipts, the oldest first; while `more` is true, send the same call
   * again. They are posted at 50 a second. A team can have 100,000 receipts replayed in an hour, in one
   * call at a time.
   *
   * @throws {TarishiError} 400: The body breaks the schema, or its period is empty.
   */
  replay(body: Body<'replayReceipts'>, options?: CallOptions): Promise<Result<'replayReceipts'>> {
    return this.#call('replayReceipts', { body }, options);
  }

  /**
   * Post a signed sample to a URL.
   *
   * Posts a receipt that belongs to no request, signed like every other receipt of your client, and
   * shows what your endpoint responded. There is one attempt.
   *
   * @throws {TarishiError} 400: The body breaks the schema, or the URL may not be called.
   */
  test(body: Body<'testReceipt'>, options?: CallOptions): Promise<Result<'testReceipt'>> {
    return this.#call('testReceipt', { body }, options);
  }
}

/** Who opted out of the messages of your team, newest first. */
class OptOuts {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List opt-outs.
   *
   * Who opted out of the messages of your team, newest first.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listOptOuts'> = {}, options?: CallOptions): Promise<Result<'listOptOuts'>> {
    return this.#call('listOptOuts', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listOptOuts'> = {}, options?: CallOptions): AsyncGenerator<Item<'listOptOuts'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Add opt-outs.
   *
   * A later message of that category to one of the numbers is accepted, but not submitted: its units are
   * refunded, and its receipt says `SubscriberOptedOut` with the reasonCode `opt-out-list`. So do
   * messages that wait to be submitted. A preview has the problem `opted-out`, and stays sendable.
   *
   * @throws {TarishiError} 400: The body breaks the schema, or a number is not valid. Nothing was
   *   changed.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   */
  add(body: Body<'addOptOuts'>, options?: CallOptions): Promise<Result<'addOptOuts'>> {
    return this.#call('addOptOuts', { body }, options);
  }

  /**
   * Remove opt-outs.
   *
   * For people who agreed again outside of messaging; a reply such as START does it by itself. Removes
   * what holds for your team, wherever it came from. An opt-out of the whole platform stays.
   *
   * @throws {TarishiError} 400: The body breaks the schema, or a number is not valid. Nothing was
   *   changed.
   * @throws {TarishiError} 404: The caller's team has no such resource.
   */
  remove(body: Body<'removeOptOuts'>, options?: CallOptions): Promise<Result<'removeOptOuts'>> {
    return this.#call('removeOptOuts', { body }, options);
  }
}

/**
 * The units of each account of your team: one for SMS, one for each channel and denomination of mobile
 * data, and one for each chat-app template category. A team without a chat-app account is not billed
 * for chat-app messages.
 */
class Balances {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List the balances of your team.
   *
   * The units of each account of your team: one for SMS, one for each channel and denomination of mobile
   * data, and one for each chat-app template category. A team without a chat-app account is not billed
   * for chat-app messages.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listBalances'> = {}, options?: CallOptions): Promise<Result<'listBalances'>> {
    return this.#call('listBalances', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listBalances'> = {}, options?: CallOptions): AsyncGenerator<Item<'listBalances'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }
}

/**
 * The services that your team sends SMS and chat-app messages through, newest first. Only those with
 * the status `Active` accept requests.
 */
class Services {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List the services of your team.
   *
   * The services that your team sends SMS and chat-app messages through, newest first. Only those with
   * the status `Active` accept requests.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listServices'> = {}, options?: CallOptions): Promise<Result<'listServices'>> {
    return this.#call('listServices', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listServices'> = {}, options?: CallOptions): AsyncGenerator<Item<'listServices'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get one service.
   *
   * The SMS or chat-app service with this id.
   *
   * @param id The `id` of the service.
   * @throws {TarishiError} 400: A query parameter is not valid.
   * @throws {TarishiError} 404: The caller's team has no such service.
   */
  get(id: string, query: Query<'getService'> = {}, options?: CallOptions): Promise<Result<'getService'>> {
    return this.#call('getService', { path: { serviceId: id }, query }, options);
  }
}

/**
 * What your team may send SMS and chat-app messages as, newest first. Requests through a service whose
 * sender is not approved for a recipient's channel or country are rejected.
 */
class Senders {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List the senders of your team.
   *
   * What your team may send SMS and chat-app messages as, newest first. Requests through a service whose
   * sender is not approved for a recipient's channel or country are rejected.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listSenders'> = {}, options?: CallOptions): Promise<Result<'listSenders'>> {
    return this.#call('listSenders', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(query: Query<'listSenders'> = {}, options?: CallOptions): AsyncGenerator<Item<'listSenders'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }
}

/**
 * The SMS and chat-app templates of your team, newest first, with the parameters that each takes. Only
 * those with the status `Active` and the approval status `APPROVED` can be sent.
 */
class Templates {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List the templates of your team.
   *
   * The SMS and chat-app templates of your team, newest first, with the parameters that each takes. Only
   * those with the status `Active` and the approval status `APPROVED` can be sent.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listTemplates'> = {}, options?: CallOptions): Promise<Result<'listTemplates'>> {
    return this.#call('listTemplates', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(
    query: Query<'listTemplates'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Item<'listTemplates'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get one template.
   *
   * The SMS or chat-app template with this id, with the parameters that it takes.
   *
   * @param id The `id` of the template.
   * @throws {TarishiError} 400: A query parameter is not valid.
   * @throws {TarishiError} 404: The caller's team has no such template.
   */
  get(id: string, query: Query<'getTemplate'> = {}, options?: CallOptions): Promise<Result<'getTemplate'>> {
    return this.#call('getTemplate', { path: { templateId: id }, query }, options);
  }
}

/**
 * The mobile-data campaigns of your team and their rules, newest first. Only those with the status
 * `Active` that have not expired accept requests.
 */
class Campaigns {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * List the campaigns of your team.
   *
   * The mobile-data campaigns of your team and their rules, newest first. Only those with the status
   * `Active` that have not expired accept requests.
   *
   * Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.
   *
   * @throws {TarishiError} 400: A query parameter is not valid.
   */
  list(query: Query<'listCampaigns'> = {}, options?: CallOptions): Promise<Result<'listCampaigns'>> {
    return this.#call('listCampaigns', { query }, options);
  }

  /**
   * Like `list`, but iterates over all pages and fetches each one as it is needed; `limit` is the page
   * size.
   */
  each(
    query: Query<'listCampaigns'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Item<'listCampaigns'>, void> {
    return eachItem((cursor) => this.list({ ...query, ...cursor }, options));
  }

  /**
   * Get one campaign.
   *
   * The rules of the campaign with this id.
   *
   * @param id The `id` of the campaign.
   * @throws {TarishiError} 404: The caller's team has no such campaign.
   */
  get(id: string, options?: CallOptions): Promise<Result<'getCampaign'>> {
    return this.#call('getCampaign', { path: { campaignId: id } }, options);
  }
}

/** What a client has, by theme. */
export class Methods {
  readonly sms: Sms;
  readonly data: Data;
  readonly chatapp: ChatApp;
  readonly messages: Messages;
  readonly requests: Requests;
  readonly inbound: Inbound;
  readonly receipts: Receipts;
  readonly optOuts: OptOuts;
  readonly balances: Balances;
  readonly services: Services;
  readonly senders: Senders;
  readonly templates: Templates;
  readonly campaigns: Campaigns;

  constructor(call: Caller) {
    this.sms = new Sms(call);
    this.data = new Data(call);
    this.chatapp = new ChatApp(call);
    this.messages = new Messages(call);
    this.requests = new Requests(call);
    this.inbound = new Inbound(call);
    this.receipts = new Receipts(call);
    this.optOuts = new OptOuts(call);
    this.balances = new Balances(call);
    this.services = new Services(call);
    this.senders = new Senders(call);
    this.templates = new Templates(call);
    this.campaigns = new Campaigns(call);
  }
}
