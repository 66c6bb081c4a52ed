/** A receipt with each attempt to post it: what came of it, and the beginning of the response. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { attemptWords } from '../../model/words/receipts.ts';
import { buttonForm } from '../forms/button-form.ts';
import { at, facts, state, table, written } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import type { PageContext } from '../page.ts';
import { type Attempt, type Receipt, receiptState, receiptStory } from './states.ts';

/** `heading`: such as `Receipt 1`. */
export function receiptPanel(receipt: Receipt, heading: Content, page: PageContext): Html {
  const { times } = page;
  const { receiptId, callbackUrl, body, attempts, nextAttemptAt } = receipt;
  return html`<section class="panel" id="receipt-${receiptId}" aria-label="Receipt"><div class="head"><h2>${heading}</h2>${receiptState(receipt, page)}</div>
<div class="body"><p>${receiptStory(receipt, page).sentence}</p>${facts([
    ['Receipt id', html`<a class="id" href="${at(`/receipts/${receiptId}`)}">${receiptId}</a>`],
    ['Posted to', written(callbackUrl)],
    [
      'Next attempt',
      nextAttemptAt !== undefined && Date.parse(nextAttemptAt) > page.now && times.show(nextAttemptAt),
    ],
  ])}</div>
${table({
  caption: 'Attempts, the newest first',
  columns: [
    { name: 'Attempt' },
    { name: 'Outcome' },
    { name: 'Took', isNumber: true },
    { name: 'Beginning of the response' },
  ],
  rows: attempts
    .toReversed()
    .map((attempt) => [
      times.show(attempt.at),
      outcomeOf(attempt),
      html`<span class="nowrap">${span(attempt.latencyMs)}</span>`,
      attempt.response === undefined || attempt.response === ''
        ? '–'
        : html`<code class="excerpt" dir="auto">${attempt.response}</code>`,
    ]),
  empty: 'It has not been posted yet.',
})}${
  body !== undefined &&
  html`<div class="foot"><details><summary>What is posted</summary><pre tabindex="0">${body}</pre></details></div>`
}</section>`;
}

function outcomeOf(attempt: Attempt): Html {
  const { status, error } = attempt;
  const good = status !== undefined && status < 300;
  return html`<div>${state(good ? 'good' : 'bad', good ? 'check' : 'cross', String(status ?? error ?? 'No response'))}<span class="sub">${attemptWords(attempt)}</span></div>`;
}

/** The button that has a receipt posted again; nothing for those who may not. */
export function resendButton(
  { receiptId }: Pick<Receipt, 'receiptId'>,
  { may }: PageContext,
  words = 'Post receipt again',
): Content {
  return may('resendReceipt') && buttonForm(`/receipts/${receiptId}/resend`, words);
}
