/** Finds what became of a phone number, a request, a receipt or a correlator. What is searched for is in no address. */
import { withMaskedPhones } from '../../manage/access/masking.ts';
import type { PhoneParser } from '../../products/phone/parse.ts';
import { asRefused } from '../errors.ts';
import { nextPage } from '../forms/filters.ts';
import { hiddenFields } from '../forms/form.ts';
import { html } from '../html.ts';
import { at, top, written } from '../layout/parts.ts';
import { counted, phoneWords } from '../layout/spans.ts';
import type { ConsoleRoute, Outcome, PageContext } from '../page.ts';
import type { Searches } from '../session/searches.ts';
import { messagePath, messageTable } from './message-table.ts';
import { requestTable } from './requests.ts';

export interface SearchDependencies {
  searches: Searches;
  parsePhone: PhoneParser;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export function searchRoutes({ searches, parsePhone }: SearchDependencies): ConsoleRoute[] {
  const find = async (page: PageContext): Promise<Outcome> => {
    const wanted = (page.form.get('find') ?? '').trim();
    if (wanted === '') return { redirect: '/' };
    const direct =
      (uuid.test(wanted) ? await pageOfId(wanted, page) : undefined) ?? (await onlyHit(wanted, page));
    return { redirect: direct ?? `/found/${await searches.remember(page.session, wanted)}` };
  };

  /** Below `/console`; undefined: there is none, or more than one. */
  const onlyHit = async (wanted: string, page: PageContext): Promise<string | undefined> => {
    const { messages, requests } = await searched(wanted, page);
    const [message] = messages.items;
    const [request] = requests.items;
    if (messages.next !== undefined || requests.next !== undefined) return undefined;
    if (messages.items.length + requests.items.length !== 1) return undefined;
    return message === undefined ? `/requests/${request?.requestId}` : messagePath(message);
  };

  const searched = async (wanted: string, { api, query }: PageContext) => {
    const phone = parsePhone(wanted);
    const cursor = query.get('cursor') ?? undefined;
    // The cursor is of one list: further pages are of the messages to a number.
    const messages =
      phone === undefined ? none : (await api.call('listMessages', { query: { phone, cursor } })).body;
    const isFirst = cursor === undefined || phone === undefined;
    const requests =
      isFirst && wanted.length <= longestCorrelator
        ? (
            await api.call('listRequests', {
              query: { correlator: wanted, ...(phone === undefined ? { cursor } : {}) },
            })
          ).body
        : none;
    return { phone, messages, requests };
  };

  const foundPage = async (page: PageContext): Promise<Outcome> => {
    const { params, session, query, reader } = page;
    const wanted = await searches.recall(session, params.handle ?? '');
    if (wanted === undefined) return forgotten;
    const { phone, messages, requests } = await searched(wanted, page);
    const seesPhones = reader.role === 'owner' || reader.role === 'admin';
    const shown = phone === undefined ? wanted : phoneWords(phone);
    const count =
      phone === undefined
        ? `${counted(requests.items.length, 'request')} with the correlator`
        : `${counted(messages.items.length, 'message')} to`;
    const path = `/found/${params.handle}`;
    const next = phone === undefined ? requests.next : messages.next;
    return {
      title: 'Found',
      body: html`${top({
        heading: html`${count} ${written(seesPhones ? shown : withMaskedPhones(shown))}`,
        under: next === undefined ? undefined : 'There may be more further back.',
      })}<div class="stack">${
        phone !== undefined &&
        html`<section class="panel" aria-label="Messages to the number">${messageTable(messages.items, page, next === undefined ? 'No message matches. Check the number.' : 'No message matches here. Look further back.')}</section>`
      }${
        (phone === undefined || requests.items.length > 0) &&
        html`<section class="panel" aria-label="Requests with this correlator">${requestTable(requests.items, page, 'No request has this correlator. Enter the whole correlator, exactly as it was sent.')}</section>`
      }${nextPage(path, query, next, 'Look further back')}${again(page)}</div>`,
    };
  };

  return [
    {
      method: 'POST',
      path: '/find',
      asks: true,
      operations: ['listMessages', 'listRequests', 'getRequest', 'getReceipt'],
      handle: find,
    },
    {
      method: 'GET',
      path: '/found/:handle',
      operations: ['listMessages', 'listRequests'],
      handle: foundPage,
    },
  ];
}

const longestCorrelator = 100;
const none = { items: [], next: undefined };

const again = ({ session }: PageContext) =>
  html`<form class="form" method="post" action="${at('/find')}" role="search" aria-label="Search again">${hiddenFields({ formToken: session.formToken })}<div class="field"><label for="again">Search again</label><input id="again" name="find" type="search" autocomplete="off" required></div><div class="actions"><button class="button" type="submit">Search</button></div></form>`;

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
