/** Tells what happened to a message, step by step, and what comes next. */
import { type Content, type Html, html } from '../html.ts';
import { type Icon, icon } from '../layout/icons.ts';
import type { Tone } from '../layout/parts.ts';
import { counted, span } from '../layout/spans.ts';
import type { PageContext } from '../page.ts';
import { networkOf } from './message-table.ts';
import { attemptWords, type Message, type Receipt, reasonWords, wordsOf } from './states.ts';

interface Step {
  tone: Tone | 'later';
  sign: Icon;
  what: Content;
  why?: Content;
  at: string;
}

type Entry = Message['timeline'][number];

/** `receipts`: those of the message. */
export function timeline(message: Message, receipts: readonly Receipt[], page: PageContext): Html {
  const steps = [
    ...message.timeline.map((entry) => stepOf(entry, message)),
    ...receipts.flatMap((receipt) => waitingSteps(receipt)),
  ];
  return html`<ol class="timeline">${steps.map(
    ({ tone, sign, what, why, at }, place) =>
      html`<li><span class="sign ${tone}">${icon(sign)}</span><span class="what">${what}</span>${
        why !== undefined && why !== '' && html`<span class="why">${why}</span>`
      }${when(at, steps[place - 1]?.at, page)}</li>
`,
  )}</ol>`;
}

function when(at: string, before: string | undefined, { times, now }: PageContext): Html {
  const ms = Date.parse(at);
  // What is to come has no countdown: a page that refreshes would change for nothing.
  const after = before !== undefined && ms <= now && `after ${span(Math.max(0, ms - Date.parse(before)))}`;
  return html`<time datetime="${at}">${times.local(at).slice(11)}<small>.${at.slice(20, 23).padEnd(3, '0')}</small>${
    after && html`<i>, </i><span>${after}</span>`
  }</time>`;
}

function stepOf(entry: Entry, message: Message): Step {
  const { at } = entry;
  const network = networkOf(message);
  switch (entry.event) {
    case 'Accepted':
      return {
        ...{ tone: 'moving', sign: 'in', at, what: html`Accepted from client ${message.clientId}` },
        why: message.units > 0 ? `${counted(message.units, 'unit')} debited.` : undefined,
      };
    case 'Scheduled':
      return { tone: 'moving', sign: 'clock', at, what: 'Accepted to be sent later' };
    case 'Released':
      return { tone: 'moving', sign: 'right', at, what: 'It may leave now' };
    case 'Cancelled':
      return { tone: '', sign: 'stop', at, what: 'Not sent: its bundle was not delivered' };
    case 'Submitted':
      return {
        ...{ tone: 'moving', sign: 'right', at, what: `Handed over to ${network}` },
        why: `${message.segments === undefined ? '' : `In ${counted(message.segments, 'part')}. `}The network has it and owes a report.`,
      };
    case 'Reported': {
      const { tone, sign, word } = wordsOf(entry.state ?? '');
      const what = html`${network} reported: ${word.toLowerCase()}`;
      return { tone, sign, at, what, why: html`<bdi>${reasonWords(entry)}</bdi>` };
    }
    case 'Refunded':
      return { tone: 'good', sign: 'again', at, what: `${counted(message.units, 'unit')} refunded` };
    case 'ReceiptPosted':
      return { tone: 'good', sign: 'check', at, what: 'The endpoint acknowledged the receipt' };
    case 'ReceiptExhausted':
      return {
        tone: 'bad',
        sign: 'cross',
        at,
        what: 'The receipt was given up: no attempt was acknowledged',
      };
    default:
      return { tone: '', sign: 'question', at, what: entry.event };
  }
}

/** A receipt that still waits is not in the timeline of the API. */
function waitingSteps({ state, attempts, nextAttemptAt }: Receipt): Step[] {
  if (state !== 'Waiting') return [];
  const last = attempts.at(-1);
  return [
    ...(last === undefined
      ? []
      : [
          {
            ...{ tone: 'fair' as const, sign: 'again' as const, at: last.at },
            what: `Receipt posted ${counted(attempts.length, 'time')}, not acknowledged`,
            why: `Last: ${last.status ?? last.error ?? 'no response'}. ${attemptWords(last)}.`,
          },
        ]),
    ...(nextAttemptAt === undefined
      ? []
      : [
          {
            ...{ tone: 'later' as const, sign: 'clock' as const, at: nextAttemptAt },
            what: last === undefined ? 'The receipt is being posted' : 'Next attempt to post the receipt',
          },
        ]),
  ];
}
