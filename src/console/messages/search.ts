/** Finds a person, a message, a request, a receipt or a correlator, also by a part of it. What is searched for is in no address. */

import { html } from '../../docs/render/html.ts';
import { seesNumbers, withMaskedPhones } from '../../manage/access/masking.ts';
import type { PhoneParser } from '../../products/phone/parse.ts';
import { asRefused } from '../errors.ts';
import { nextPage } from '../forms/filters.ts';
import { at, top, widePanel, written } from '../layout/parts.ts';
import { phoneWords } from '../layout/spans.ts';
import type { ConsoleRoute, Outcome, PageContext } from '../page.ts';
import type { Searches } from '../session/searches.ts';
import { messagePath, messageTable } from './message-table.ts';
import { knownOf, personPanels } from './person.ts';
import { receiptTable } from './receipts.ts';
import { requestTable } from './requests.ts';
import type { Message, Receipt } from './states.ts';

export interface SearchDependencies {
  searches: Searches;
  parsePhone: PhoneParser;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** As lists show it, perhaps with the dots behind it. */
const idStart = /^([\da-f]{8}[\da-f-]{0,28})(?:…|\.\.\.)?$/i;
const phoneEnd = /^\d{4,9}$/;
const longestCorrelator = 100;
/** A page of the API looks at a limited number of messages. */
const mostPages = 4;

interface Hits {
  /** E.164, if it is one. */
  phone: string | undefined;
  messages: Message[];
  requests: Parameters<typeof requestTable>[0];
  receipts: Receipt[];
  next: string | undefined;
  /** What `next` goes on with. */
  by: 'messages' | 'requests';
}

async function hitsOf(wanted: string, parsePhone: PhoneParser, page: PageContext): Promise<Hits> {
  const { api, query, reader } = page;
  const phone = parsePhone(wanted);
  const cursor = query.get('cursor') ?? undefined;
  if (phone !== undefined) {
    const { body } = await api.call('listMessages', { query: { phone, cursor } });
    const requests = cursor === undefined ? await byCorrelator(wanted, undefined, page) : none;
    return {
      ...{ phone, messages: body.items, receipts: [], requests: requests.items },
      ...{ next: body.next, by: 'messages' },
    };
  }
  const digits = wanted.replace(/[\s().-]/g, '');
  const isEnd = phoneEnd.test(digits) && seesNumbers(reader);
  const isFirst = cursor === undefined;
  const ended = isEnd ? await upToPages({ phoneEnd: digits }, cursor, page) : none;
  // The cursor is of one list, by which further pages go on.
  const requests = isFirst || !isEnd ? await byCorrelator(wanted, isEnd ? undefined : cursor, page) : none;
  const [, start] = isFirst ? (idStart.exec(wanted.toLowerCase()) ?? []) : [];
  const started = start === undefined ? nothing : await byStart(start, page);
  return {
    phone: undefined,
    messages: [...ended.items, ...started.messages],
    requests: [...requests.items, ...started.requests],
    receipts: started.receipts,
    next: isEnd ? ended.next : requests.next,
    by: isEnd ? 'messages' : 'requests',
  };
}

const none = { items: [], next: undefined };
const nothing = { messages: [], requests: [], receipts: [] };

async function byCorrelator(wanted: string, cursor: string | undefined, { api }: PageContext) {
  if (wanted.length > longestCorrelator) return none;
  return (await api.call('listRequests', { query: { correlator: wanted, cursor } })).body;
}

/** Message ids are not stored, so messages are searched only if no request or receipt matches. */
async function byStart(start: string, page: PageContext) {
  const query = { idStart: start, limit: 25 };
  const { body: requests } = await page.api.call('listRequests', { query });
  const { body: receipts } = await page.api.call('listReceipts', { query });
  const isFound = requests.items.length + receipts.items.length > 0;
  const messages = isFound ? none : await upToPages(query, undefined, page);
  return { requests: requests.items, receipts: receipts.items, messages: messages.items };
}

async function upToPages(
  query: { phoneEnd?: string; idStart?: string },
  cursor: string | undefined,
  { api }: PageContext,
): Promise<{ items: Message[]; next: string | undefined }> {
  let next = cursor;
  for (let count = 0; count < mostPages; count += 1) {
    const { body } = await api.call('listMessages', { query: { ...query, cursor: next } });
    next = body.next;
    if (body.items.length > 0 || next === undefined) return { items: body.items, next };
  }
  return { items: [], next };
}

export function searchRoutes({ searches, parsePhone }: SearchDependencies): ConsoleRoute[] {
  const find = async (page: PageContext): Promise<Outcome> => {
    const wanted = (page.form.get('find') ?? '').trim();
    if (wanted === '') return { redirect: '/' };
    const known = uuid.test(wanted) ? await pageOfId(wanted, page) : undefined;
    if (known !== undefined) return { redirect: known };
    const hits = await hitsOf(wanted, parsePhone, page);
    const direct = await onlyHit(hits, page);
    if (direct !== undefined) return { redirect: direct };
    return { redirect: `/found/${await searches.remember(page.session, personIn(hits) ?? wanted)}` };
  };

  const foundPage = async (page: PageContext): Promise<Outcome> => {
    const { params, session, query, reader } = page;
    const wanted = await searches.recall(session, params.handle ?? '');
    if (wanted === undefined) return forgotten;
    const hits = await hitsOf(wanted, parsePhone, page);
    const { phone, messages, requests, receipts, next } = hits;
    const shown = phone === undefined ? wanted : phoneWords(phone);
    const shownToReader = written(seesNumbers(reader) ? shown : withMaskedPhones(shown));
    const isFirst = query.get('cursor') === null;
    const person = phone === undefined || !isFirst ? undefined : await personPanels(phone, messages, page);
    const isEmpty = messages.length + requests.length + receipts.length === 0;
    return {
      title: 'Found',
      body: html`${top({
        heading: phone === undefined ? html`Found for ${shownToReader}` : shownToReader,
        under:
          phone === undefined && isEmpty
            ? 'Nothing was found. A search takes a phone number or its last digits, a user id, the id of a message, request or receipt or its first eight characters, or a whole correlator.'
            : next === undefined
              ? undefined
              : 'There may be more further back.',
      })}<div class="stack">${person?.above}${
        (phone !== undefined || messages.length > 0) &&
        widePanel(
          'Messages',
          messageTable(
            messages,
            page,
            next === undefined ? 'Nothing was sent to this number.' : 'No message here. Look further back.',
          ),
        )
      }${person?.below}${requests.length > 0 && widePanel('Requests', requestTable(requests, page, ''))}${receipts.length > 0 && widePanel('Receipts', receiptTable(receipts, page, ''))}${nextPage(`/found/${params.handle}`, query, next, 'Look further back')}${again}</div>`,
    };
  };

  return [
    {
      method: 'POST',
      path: '/find',

      operations: ['listMessages', 'listRequests', 'getRequest', 'getReceipt', ...ofPerson],
      handle: find,
    },
    {
      method: 'GET',
      path: '/found/:handle',
      operations: ['listMessages', 'listRequests', ...ofPerson],
      handle: foundPage,
    },
  ];
}

const ofPerson = ['listOptOuts', 'listInboundMessages', 'listReceipts', 'listQuietHours'] as const;

/** Below `/console`; undefined: there is none, or more than one, or more is known of the person. */
async function onlyHit({ phone, messages, requests, receipts, next }: Hits, page: PageContext) {
  if (next !== undefined || messages.length + requests.length + receipts.length !== 1) return undefined;
  const [message] = messages;
  if (message !== undefined && phone !== undefined && (await knownOf(phone, page)).length > 0)
    return undefined;
  if (message !== undefined) return messagePath(message);
  const [request] = requests;
  return request === undefined ? `/receipts/${receipts[0]?.receiptId}` : `/requests/${request.requestId}`;
}

/** The one person to whom all the messages went that an end of a number finds. */
function personIn({ phone, messages, requests, receipts, next }: Hits): string | undefined {
  if (phone !== undefined || next !== undefined || requests.length + receipts.length > 0) return undefined;
  const phones = new Set(messages.map((one) => one.phone));
  return phones.size === 1 ? [...phones][0] : undefined;
}

const again = html`<form class="form" method="post" action="${at('/find')}" role="search" aria-label="Search again"><div class="field"><label for="again">Search again</label><input id="again" name="find" type="search" autocomplete="off" required></div><div class="actions"><button class="button" type="submit">Search</button></div></form>`;

const forgotten = {
  title: 'Search again',
  status: 404,
  body: html`${top({ heading: 'Search again' })}<p>What was searched for is kept with your session, for its last twenty searches.</p>`,
};

/** Of a request, or of a receipt. */
async function pageOfId(id: string, { api }: PageContext): Promise<string | undefined> {
  const lower = id.toLowerCase();
  const places = [
    [`/requests/${lower}`, () => api.call('getRequest', { path: { requestId: lower } })],
    [`/receipts/${lower}`, () => api.call('getReceipt', { path: { receiptId: lower } })],
  ] as const;
  for (const [path, ask] of places)
    try {
      await ask();
      return path;
    } catch (error) {
      if (asRefused(error).status !== 404) throw error;
    }
  return undefined;
}
