/** Whether a network takes messages: since when it does not, what waits, why, and what to do. */
import type { components } from '../../../generated/management.d.ts';
import { isKindName, productOfKind } from '../../connectors/runtime/kinds.ts';
import { type Content, html } from '../../docs/render/html.ts';
import type { Product } from '../../model/plan.ts';
import { wordsOfCondition } from '../../model/words/connectors.ts';
import { countedUpTo } from '../../platform/text/counted.ts';
import { icon } from '../layout/icons.ts';
import { at, written } from '../layout/parts.ts';
import { span } from '../layout/spans.ts';
import { lookOfCondition } from '../layout/values.ts';
import type { PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

type Connector = components['schemas']['Connector'];

/** Workers look for changes every few seconds. */
const opensWithinMs = 30_000;
const opening = { look: ['moving', 'clock'], heading: 'A worker opens it', next: undefined } as const;

/** It was added or changed just now: nothing is wrong that no worker runs it yet. */
const isOpening = ({ condition, updatedAt }: Connector, now: number): boolean =>
  condition === 'away' && now - Date.parse(updatedAt) < opensWithinMs;

interface Use {
  operation: 'createChannel' | 'createChatAppSender';
  /** Below `/console`, without the name of the connector. */
  path: string;
  words: string;
}

/** Where a connector gets something to do. */
const useOf: Readonly<Record<Product, Use>> = {
  sms: { operation: 'createChannel', path: '/new/channels?connector=', words: 'Use it for a channel' },
  data: { operation: 'createChannel', path: '/new/channels?bundleConnector=', words: 'Use it for a channel' },
  chatapp: {
    operation: 'createChatAppSender',
    path: '/new/chatapp-senders?connector=',
    words: 'Use it for a sender',
  },
};

export async function conditionOf({ times, now, may }: PageContext, item: Item): Promise<Content> {
  const connector = item as unknown as Connector;
  const { condition, since, reason, waiting, oldestWaitingAt, lastError, lastErrorAt, uses, holders } =
    connector;
  const { look, heading, next } = isOpening(connector, now)
    ? opening
    : { look: lookOfCondition(condition), ...wordsOfCondition(condition) };
  const [tone, sign] = look;
  const waits =
    waiting === 0
      ? 'No message waits for it.'
      : `${countedUpTo(waiting, 10_000, 'message')} ${waiting === 1 ? 'waits' : 'wait'} for it, the oldest for ${span(now - Date.parse(oldestWaitingAt ?? ''))}.`;
  const use = useOf[isKindName(connector.kind) ? productOfKind[connector.kind] : 'sms'];
  const channels = uses.filter((use) => !use.startsWith('ChatApp/'));
  return html`<section class="panel verdict" id="condition" aria-labelledby="condition-title"><span class="sign ${tone}">${icon(sign)}</span><h2 id="condition-title" data-announce>${heading}</h2>
<div class="more"><p>${since !== undefined && html`Since ${times.show(since)}. `}${
    reason !== undefined && reason !== '' && html`“${written(reason)}”. `
  }${waits}</p>${
    lastError !== undefined &&
    html`<p>Last error${lastErrorAt !== undefined && html`, ${times.show(lastErrorAt)}`}: ${written(lastError)}.</p>`
  }${
    holders.length > 0 &&
    html`<p>It sends from ${holders.map(
      ({ process, parts, ratePerSecond }, place) =>
        html`${place > 0 && ', '}${process} (${parts} of its parts, ${ratePerSecond} a second)`,
    )}.</p>`
  }${
    next !== undefined &&
    html`<div class="next"><b>Next step</b><p>${next}${
      condition !== 'paused' && ' If it lasts, pause it with a reason: its messages then wait for you.'
    }</p></div>`
  }${
    uses.length === 0 &&
    may(use.operation) &&
    html`<div class="next"><b>Next step</b><p>Nothing goes through it yet. <a href="${at(`${use.path}${connector.name}`)}">${use.words}</a>.</p></div>`
  }${
    channels.length > 0 &&
    html`<p class="links"><span>Carries:</span>${channels.map((use) => {
      const [product, name = ''] = use.split('/');
      return html`<a href="${at(`/channels/${encodeURIComponent(name)}`)}">${product === 'Sms' ? 'SMS' : 'bundles'} for ${name}</a>`;
    })}</p>`
  }</div></section>`;
}

/** What a test found, in words. */
export function testWords({ ok, problem }: Item): readonly ['good' | 'bad', Content] {
  return ok === true
    ? ['good', 'The network would take messages.']
    : [
        'bad',
        html`The network would take no messages: ${written(String(problem ?? 'it does not say why'))}.`,
      ];
}
