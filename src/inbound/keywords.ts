/** Acts on messages that are a word such as STOP: opts people out or in again, and confirms it once. */
import { store } from '../accept/commit-statement.ts';
import type { Plan } from '../model/plan.ts';
import { products } from '../model/products.ts';
import { newTimedId } from '../platform/timed-id.ts';
import type { SessionContent } from '../products/chatapp/templates/filled-template.ts';
import { addOptOuts, type HashPhone, removeOptOuts } from '../products/consent/opt-out-repository.ts';
import { askedBy, type ConsentRequest, keywordOf } from '../products/consent/words.ts';
import { presentChannels } from '../products/phone/ported-repository.ts';
import { loadChannels } from '../products/phone/repository.ts';
import { registrationsOf } from '../products/sms/registrations.ts';
import { type Database, grantsOfServices, takeReply, wordsOfServices } from './keyword-repository.ts';
import type { Heard, InboundProduct } from './message.ts';
import type { ActOn } from './receive.ts';

export interface KeywordDependencies {
  hashPhone: HashPhone;
  /** How long a confirmation may wait for its network. */
  validitySeconds: number;
}

/**
 * Acts on the messages: the last word of a number to a service counts. Repetitions are acted upon too, as nobody can be sure
 * that they are some, but not confirmed. START takes back what a STOP said, and nothing else. A
 * number gets one confirmation of each kind from a service in 24 hours, so that two machines never go on replying to each
 * other. Rows are locked in the order of their keys, so that processes with the same numbers wait for each other instead of
 * deadlocking.
 */
export function createActOn({ hashPhone, validitySeconds }: KeywordDependencies): ActOn {
  return async (trx, heard) => {
    const texts = heard.filter(({ kind }) => kind === 'text');
    if (texts.length === 0) return new Map();
    const words = await wordsOfServices(trx, texts);
    const said = texts.flatMap((message): Said[] => {
      const { product, phone, serviceId, text, recipient } = message;
      if (product === 'data') return [];
      const asked = askedBy(text, words(product, serviceId) ?? [], recipient);
      const phoneHash = hashPhone(phone);
      return asked === undefined
        ? []
        : [{ message, product, asked, phoneHash, key: `${phoneHash} ${product} ${serviceId}` }];
    });
    for (const { message, product, asked } of lastOf(
      said.filter(({ asked: { action } }) => action !== 'Help'),
    )) {
      const scope = { product, teamId: message.teamId, serviceId: message.serviceId };
      if (asked.action === 'OptOut')
        await addOptOuts(
          trx,
          [message.phone],
          { ...scope, target: 'MARKETING', source: 'Keyword' },
          hashPhone,
        );
      else await removeOptOuts(trx, [message.phone], scope, hashPhone, 'Keyword');
    }
    const confirmed = new Set<Said>();
    const fresh = said.filter(({ message }) => !message.repeated);
    for (const one of lastOf(fresh, ({ asked }) => asked.action)) {
      const { message, product, asked, phoneHash } = one;
      if (await takeReply(trx, { phoneHash, product, serviceId: message.serviceId, action: asked.action }))
        confirmed.add(one);
    }
    await confirm(
      trx,
      said.filter((one) => confirmed.has(one)),
      validitySeconds,
    );
    return new Map(said.map(({ message, asked }) => [message.id, keywordOf[asked.action]]));
  };
}

/** A word that a number sent to a service. */
interface Said {
  message: Heard;
  product: InboundProduct;
  asked: ConsentRequest;
  phoneHash: string;
  /** Of the number, the product and the service. */
  key: string;
}

/** The last of each key, and of each kind, in the order of the keys. */
function lastOf(said: readonly Said[], kindOf: (one: Said) => string = () => ''): Said[] {
  const last = new Map(said.map((one) => [`${one.key} ${kindOf(one)}`, one]));
  return [...last].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

/** Not billed, and not stopped by the list. In a chat app a text: it may be sent for 24 hours after a message of the person. */
async function confirm(
  trx: Database,
  confirmations: readonly Pick<Said, 'message' | 'product' | 'asked'>[],
  validitySeconds: number,
): Promise<void> {
  if (confirmations.length === 0) return;
  const services = confirmations.flatMap(({ message: { serviceId }, product }) =>
    product === 'sms' ? [serviceId] : [],
  );
  const grants = services.length === 0 ? undefined : await grantsOfServices(trx, services);
  const texted = confirmations.flatMap(({ message }) => (message.product === 'sms' ? [message.phone] : []));
  const channelOf = await presentChannels(trx, await loadChannels(trx), texted);
  const plans = confirmations.flatMap(({ message, product, asked }): Plan[] => {
    const { phone, teamId, serviceId, recipient, clientId } = message;
    const channel = product === 'sms' ? channelOf(phone)?.name : message.channel;
    if (channel === undefined || channel === null) return [];
    const common = { teamId, clientId: clientId ?? '', resourceId: serviceId, sender: recipient };
    return [
      {
        ...common,
        operation: products[product].operation,
        confirmation: true,
        category: 'UTILITY',
        receiptRequest: {},
        validitySeconds: null,
        registrations: product === 'sms' ? registrationsOf(undefined, grants?.get(serviceId)) : undefined,
        messages: [
          {
            product,
            position: 0,
            channel,
            phone,
            content:
              product === 'sms'
                ? asked.reply
                : JSON.stringify({ text: asked.reply } satisfies SessionContent),
            units: 0,
            accountId: null,
            held: false,
          },
        ],
        accepted: { requestId: newTimedId(), units: {}, addresses: {} },
        idempotency: undefined,
      },
    ];
  });
  if (plans.length > 0) await store(trx, plans, [], validitySeconds);
}
