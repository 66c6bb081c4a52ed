/** The lives of words that phones send, such as STOP: what they change, and what is confirmed. */
import type { World } from '../world/world.ts';
import { textOf } from './inbound.ts';
import type { Ending, Life } from './life.ts';
import { delivered, number, offers, sendOffer } from './requests.ts';
import { usual } from './script.ts';
import { mostSms } from './sms.ts';

const lookEveryMs = 500;

const pause = () => new Promise((resolve) => setTimeout(resolve, lookEveryMs));

/**
 * Each is sent once the one before it has been posted: a network that repeats one would change their order. And later: while time
 * stands still, what PostgreSQL's clock says depends on how long a transaction takes.
 */
async function say({ networks }: World, words: readonly string[]): Promise<void> {
  for (const [index, word] of words.entries()) {
    networks.hear(textOf(word, offers.sender));
    const heard = () =>
      networks.posted
        .filter(({ answered, body }) => answered < 300 && JSON.parse(body).text === word)
        .map(({ id }) => id);
    const wanted = words.slice(0, index + 1).filter((one) => one === word).length;
    while (new Set(heard()).size < wanted) await pause();
    await pause();
  }
}

/** Of each kind one in a day: nobody asks for a receipt of it. */
const confirmation: Ending = { ...delivered, receipt: undefined };
const optedOut: Ending = {
  ...delivered,
  state: 'SubscriberOptedOut',
  receipt: 'SubscriberOptedOut',
  refunded: true,
};

const times = (count: number) => Array.from({ length: count }, () => `sms ${number}`);

/** `confirmed`: how many of the words are, unless the clock was set back. */
const life = (words: readonly string[], confirmed: number, offer: Ending): Life => {
  const outcome = (count: number) => ({
    endings: [...Array.from({ length: count }, () => confirmation), offer],
    sent: times(count + (offer === delivered ? 1 : 0)),
  });
  return {
    name: `${words.join(', ')} of a phone, and an offer after it`,
    script: usual,
    prepare: ({ data: { database }, networks }) =>
      database
        .knex('services')
        .where({ id: offers.serviceId })
        .update({ inbound_callback_url: networks.receiverUrl }),
    begin: async (world) => {
      await say(world, words);
      await sendOffer(world);
    },
    heard: words,
    ...outcome(confirmed),
    ...(confirmed === words.length ? {} : { otherwise: outcome(words.length) }),
    most: mostSms,
    seconds: 60,
  };
};

export const wordLives: Life[] = [
  life(['STOP'], 1, optedOut),
  life(['STOP', 'START'], 2, delivered),
  life(['STOP', 'START', 'STOP'], 2, optedOut),
];
