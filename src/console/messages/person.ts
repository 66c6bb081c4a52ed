/** What is known of a person by their number: whether they may be written to, what they wrote, and what to do. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { wordsOf } from '../../model/words/states.ts';
import { countryOf } from '../../products/quiet-hours/zones.ts';
import { at, panel, widePanel } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import { inboundTable } from './inbound.ts';
import { messagePath } from './message-table.ts';
import { optOutTable } from './opt-out-table.ts';
import { receiptTable } from './receipts.ts';
import type { Message } from './states.ts';

type QuietHours = components['schemas']['QuietHours'];

const mostShown = 25;

const optOutsOf = async (phone: string, { api }: PageContext) =>
  (await api.call('listOptOuts', { query: { phone, limit: mostShown } })).body.items;
const inboundOf = async (phone: string, { api }: PageContext) =>
  (await api.call('listInboundMessages', { query: { phone, limit: mostShown } })).body.items;
const receiptsOf = async (phone: string, { api }: PageContext) =>
  (await api.call('listReceipts', { query: { phone, limit: mostShown } })).body.items;

/** Their opt-outs, and what they wrote. */
export async function knownOf(phone: string, page: PageContext): Promise<readonly object[]> {
  return [...(await optOutsOf(phone, page)), ...(await inboundOf(phone, page))];
}

/** What stands above the messages to the number, and below them. `messages`: the newest first. */
export async function personPanels(
  phone: string,
  messages: readonly Message[],
  page: PageContext,
): Promise<{ above: Html; below: Html }> {
  const [optOuts, inbound, receipts, quiet] = [
    await optOutsOf(phone, page),
    await inboundOf(phone, page),
    messages.length === 0 ? [] : await receiptsOf(phone, page),
    await quietHoursOf(phone, page),
  ];
  const [latest] = messages;
  const standing = html`<ul class="plain">
<li>${optOutSentence(optOuts.length)}</li>
<li>${quietSentence(phone, quiet)}</li>
${latest !== undefined && html`<li>${latestSentence(latest)}</li>`}
</ul>${page.may('eraseSubject') && html`<p class="links"><a href="${at('/erasure')}">Erase everything about a person</a></p>`}`;
  const above = html`${panel('May we write to them?', standing, { id: 'person' })}${
    optOuts.length > 0 && widePanel('Opt-outs', optOutTable(optOuts, page, ''), { id: 'opt-outs' })
  }`;
  const below = html`${
    receipts.length > 0 &&
    widePanel('Does the client know?', receiptTable(receipts, page, ''), { id: 'receipts' })
  }${widePanel('What they wrote', inboundTable(inbound, page, 'Nothing that is kept.'), { id: 'inbound' })}`;
  return { above, below };
}

const optOutSentence = (entries: number): Content =>
  entries === 0
    ? 'They are not on the list of opt-outs.'
    : html`<b>They have opted out.</b> The entries below say from whose messages, from which, and since when.`;

async function quietHoursOf(phone: string, { api, may }: PageContext): Promise<QuietHours | undefined> {
  const country = countryOf(phone);
  if (country === undefined || !may('listQuietHours')) return undefined;
  const { body } = await api.call('listQuietHours', { query: { limit: 100 } });
  return body.items.find((one) => one.country === country && one.enabled);
}

function quietSentence(phone: string, quiet: QuietHours | undefined): Content {
  const country = countryOf(phone);
  if (country === undefined) return 'Several countries share this calling code, so no quiet hours apply.';
  if (quiet === undefined) return `No quiet hours apply in ${nameOf(country)}.`;
  const window = (hours: string | undefined) => hours ?? 'not at all';
  return html`Promotional messages reach <a href="${at(`/quiet-hours/${country}`)}">${nameOf(country)}</a> in local time: Monday to Friday ${window(quiet.mondayToFriday)}, Saturday ${window(quiet.saturday)}, Sunday ${window(quiet.sunday)}. Others may be sent at any time.`;
}

const regions = new Intl.DisplayNames('en', { type: 'region' });
const nameOf = (country: string) => regions.of(country) ?? country;

function latestSentence(message: Message): Content {
  const { heading, next } = wordsOf(message);
  return html`The last message: <a href="${at(messagePath(message))}">${heading}</a>.${next !== undefined && ` ${next}`}`;
}
