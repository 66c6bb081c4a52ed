/** Tells what happened to a message, step by step in the order of time, and what comes next. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { attemptWords } from '../../model/words/receipts.ts';
import { type StepEvent, wordsOfStep } from '../../model/words/steps.ts';
import { counted } from '../../platform/text/counted.ts';
import { own } from '../../platform/text/own.ts';
import { type Icon, icon } from '../layout/icons.ts';
import type { Look, Tone } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import type { PageContext } from '../page.ts';
import { lookOf, type Message, type Receipt, receiptStory } from './states.ts';

interface Step {
  look: readonly [tone: Tone | 'later', sign: Icon];
  what: Content;
  why?: Content;
  at: string;
}

/** `receipts`: those of the message. */
export function timeline(message: Message, receipts: readonly Receipt[], page: PageContext): Html {
  const steps = [
    ...told(message),
    ...receipts.flatMap((receipt) => (receipt.state === 'Waiting' ? waiting(receipt, page) : [])),
  ].sort((one, other) => one.at.localeCompare(other.at));
  return html`<ol class="timeline">${steps.map(
    ({ look: [tone, sign], what, why, at }, place) =>
      html`<li><span class="sign ${tone}">${icon(sign)}</span><span class="what">${what}</span>${
        why !== undefined && why !== '' && html`<span class="why"><bdi>${why}</bdi></span>`
      }${when(at, steps[place - 1]?.at, page)}</li>
`,
  )}</ol>`;
}

/** With its date where it differs from that of the step before. */
function when(at: string, before: string | undefined, { times, now }: PageContext): Html {
  const ms = Date.parse(at);
  // What is to come has no countdown: a page that refreshes would change for nothing.
  const after = before !== undefined && ms <= now && `after ${span(Math.max(0, ms - Date.parse(before)))}`;
  const isNewDay = before === undefined || times.local(before).slice(0, 10) !== times.local(at).slice(0, 10);
  const clock = html`${times.clock(at)}<small>.${at.slice(20, 23).padEnd(3, '0')}</small>`;
  return html`<time datetime="${at}">${isNewDay && html`<span>${times.local(at).slice(0, 10)}</span><i>, </i>`}${clock}${
    after && html`<i>, </i><span>${after}</span>`
  }</time>`;
}

const looks: { readonly [E in Exclude<StepEvent, 'Reported'>]: Look } = {
  Accepted: ['moving', 'in'],
  Scheduled: ['moving', 'clock'],
  Released: ['moving', 'right'],
  Cancelled: ['', 'stop'],
  PassedOver: ['fair', 'right'],
  Refused: ['fair', 'cross'],
  Submitted: ['moving', 'right'],
  Refunded: ['good', 'again'],
  ReceiptPosted: ['good', 'check'],
  ReceiptExhausted: ['bad', 'cross'],
};

/** Networks report in whole seconds, which may begin before the submission: no step is shown before the one that led to it. */
function told(message: Message): Step[] {
  let latest = '';
  return message.timeline.map((entry) => {
    latest = entry.at > latest ? entry.at : latest;
    const look =
      entry.event === 'Reported'
        ? lookOf(entry.state ?? '')
        : (own(looks, entry.event as keyof typeof looks) ?? lookOf(''));
    return { look, at: latest, ...wordsOfStep(entry, message) };
  });
}

/** A receipt that still waits is not in the timeline of the API. */
function waiting(receipt: Receipt, page: PageContext): Step[] {
  const { attempts, createdAt, nextAttemptAt } = receipt;
  const last = attempts.at(-1);
  const { look, sentence, condition } = receiptStory(receipt, page);
  const until = condition === 'parked' || condition === 'later' ? nextAttemptAt : undefined;
  return [
    ...(last === undefined
      ? []
      : [
          {
            look: ['fair', 'again'] as const,
            at: last.at,
            what: `Receipt ${receipt.sequence} posted ${counted(attempts.length, 'time')}, not acknowledged`,
            why: `Last: ${last.status ?? last.error ?? 'no response'}. ${attemptWords(last)}.`,
          },
        ]),
    {
      look: until === undefined ? look : ['later', look[1]],
      at: until ?? last?.at ?? createdAt,
      what: sentence,
    },
  ];
}
