/** Acts on messages that are a word such as STOP: opts people out or in again, and confirms it once. */
import { randomUUID } from 'node:crypto';
import { store } from '../accept/commit-statement.ts';
import type { Plan } from '../model/plan.ts';
import { products } from '../model/products.ts';
import { addOptOuts, type HashPhone, removeOptOuts } from '../products/consent/opt-out-repository.ts';
import { type Asked, askedBy, type Keyword, keywordOf } from '../products/consent/words.ts';
import { channelFinder } from '../products/phone/channels.ts';
import { loadChannels } from '../products/phone/repository.ts';
import { type Database, takeReply, wordsOfServices } from './keyword-repository.ts';
import type { Received } from './message.ts';
import type { ActOn } from './receive.ts';

export interface KeywordDependencies {
  hashPhone: HashPhone;
  /** How long a confirmation may wait for its network. */
  validitySeconds: number;
}

/**
 * Acts on the messages in their order. START takes back what a STOP said, and nothing else. A number gets one confirmation
 * of each kind from a service in 24 hours, so that two machines never go on replying to each other.
 */
export function createActOn({ hashPhone, validitySeconds }: KeywordDependencies): ActOn {
  return async (trx, received) => {
    const keywords = new Map<string, Keyword>();
    const texts = received.filter(({ kind }) => kind === 'text');
    if (texts.length === 0) return keywords;
    const words = await wordsOfServices(trx, texts);
    const confirmations: { message: Received; asked: Asked }[] = [];
    for (const message of texts) {
      const { id, product, phone, teamId, serviceId, text, recipient } = message;
      const own = product === 'sms' ? (words.get(serviceId) ?? []) : [];
      const asked = askedBy(text, own, recipient);
      if (asked === undefined || product === 'data') continue;
      const { action } = asked;
      keywords.set(id, keywordOf[action]);
      const scope = { product, teamId, serviceId };
      if (action === 'OptOut')
        await addOptOuts(trx, [phone], { ...scope, target: 'MARKETING', source: 'Keyword' }, hashPhone);
      if (action === 'OptIn') await removeOptOuts(trx, [phone], scope, hashPhone, 'Keyword');
      // The chat app takes templates only.
      if (product === 'sms' && (await takeReply(trx, { phoneHash: hashPhone(phone), serviceId, action })))
        confirmations.push({ message, asked });
    }
    await confirm(trx, confirmations, validitySeconds);
    return keywords;
  };
}

/** Not billed, and not stopped by the list. */
async function confirm(
  trx: Database,
  confirmations: readonly { message: Received; asked: Asked }[],
  validitySeconds: number,
): Promise<void> {
  if (confirmations.length === 0) return;
  const find = channelFinder(await loadChannels(trx));
  const plans = confirmations.flatMap(({ message, asked }): Plan[] => {
    const { phone, teamId, serviceId, recipient, clientId } = message;
    const channel = find(phone)?.name;
    if (channel === undefined) return [];
    const common = { teamId, clientId: clientId ?? '', resourceId: serviceId, sender: recipient };
    return [
      {
        ...common,
        operation: products.sms.operation,
        confirmation: true,
        category: 'UTILITY',
        receiptRequest: {},
        validitySeconds: null,
        messages: [
          {
            product: 'sms',
            position: 0,
            channel,
            phone,
            content: asked.reply,
            units: 0,
            accountId: null,
            held: false,
          },
        ],
        accepted: { requestId: randomUUID(), units: {}, addresses: {} },
        idempotency: undefined,
      },
    ];
  });
  if (plans.length > 0) await store(trx, plans, [], validitySeconds);
}
