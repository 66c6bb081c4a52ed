/** Three connectors of a route under random faults: what one of them would take gets there, once where that matters, and is told. */
import { expect, test } from '@jest/globals';
import type { Connector, HandOver, OutboundMessage } from '../connectors/contract/connector.ts';
import type { Product } from '../model/plan.ts';
import { createRandom } from '../partner/sandbox/random.ts';
import { sized } from '../platform/sized-testing.ts';
import { createLanes } from './lanes.ts';
import { delivered, openedDelivery } from './testing.ts';

const delivery = openedDelivery();

const seed = Number(process.env.SEED);
const messages = sized(40, 400);
const rounds = sized(25, 120);
const names = ['first', 'second', 'third'];
/** `lost`: it has done what it was asked, and its response is lost. */
const faults = ['works', 'refuses', 'later', 'fails', 'lost', 'closed'] as const;

const refusal: HandOver = { kind: 'rejected', state: 'Failed', reason: 'no route', reasonCode: '0x45' };

/** A network that behaves in another way each round, and keeps books of what it has done. */
function unreliable(product: Product, random: () => number) {
  let fault: (typeof faults)[number] = 'works';
  const given: string[] = [];
  const refused = new Set<string>();
  const answer = ({ id }: OutboundMessage): HandOver => {
    if (fault === 'later') return { kind: 'later', delaySeconds: 60 };
    if (fault === 'refuses') {
      refused.add(id);
      return refusal;
    }
    given.push(id);
    if (fault !== 'lost') return delivered;
    return product === 'sms'
      ? { kind: 'later', delaySeconds: 60, unanswered: true }
      : { kind: 'unclear', delaySeconds: 10 };
  };
  const connector: Connector = {
    send: async (batch) => {
      if (fault === 'fails' || random() < 0.05) throw new Error('the network is gone');
      return batch.map(answer);
    },
  };
  if (product === 'data')
    connector.ask = async (batch) =>
      batch.map(({ id }) => {
        if (given.includes(id)) return delivered;
        return refused.has(id) ? refusal : { kind: 'unknown' };
      });
  return {
    connector,
    given,
    refused,
    change: (to: (typeof faults)[number]) => {
      fault = to;
    },
    isClosed: () => fault === 'closed',
  };
}

test.each<Product>([
  'sms',
  'data',
])('of %s nothing fails that one of three could have carried', async (product) => {
  const random = createRandom(seed);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  await delivery.reset(10_000);
  const networks = new Map(names.map((name) => [name, unreliable(product, random)]));
  const dependencies = delivery.routed(names, (name) => {
    const network = networks.get(name);
    return network?.isClosed() ? undefined : network?.connector;
  });
  const lanes = createLanes(dependencies);
  const shapes = Array.from({ length: messages }, (_, place) => ({
    ...{ product, position: place, content: product === 'sms' ? 'Habari' : '1GB' },
    phone: `+2547${String(place).padStart(8, '0')}`,
  }));
  for (const shape of shapes) await delivery.accept(shape);
  for (let round = 0; round < rounds; round += 1) {
    for (const network of networks.values()) network.change(any(faults));
    await delivery.hurry();
    await delivery.deliverRound(dependencies, lanes);
  }
  // Whatever is left has one that works.
  for (const network of networks.values()) network.change('works');
  const isOpen = async () => (await delivery.knex('jobs')).length > 0;
  for (let round = 0; round < 30 && (await isOpen()); round += 1) {
    await delivery.hurry();
    await delivery.deliverRound(dependencies, lanes);
  }
  expect(await isOpen()).toBe(false);

  const stored: { id: string; state: string; hops: { connector: string; refused: boolean }[] | null }[] =
    await delivery.knex('messages').orderBy('id');
  const wrong = stored.flatMap(({ id: number, state, hops }) => {
    const id = String(number);
    const refusedBy = names.filter((name) => networks.get(name)?.refused.has(id));
    const times = names.reduce(
      (sum, name) => sum + (networks.get(name)?.given.filter((one) => one === id).length ?? 0),
      0,
    );
    const told = (hops ?? []).filter(({ refused }) => refused).map(({ connector }) => connector);
    // The last refusal ends the message: it is its state.
    const untold = refusedBy.filter((name) => !told.includes(name));
    return [
      ...(state === 'Delivered' || refusedBy.length === names.length ? [] : [`${id} is ${state}`]),
      ...(product === 'data' && times > 1 ? [`${id} was given ${times} times`] : []),
      ...(state === 'Delivered' && times === 0 ? [`${id} was given by nobody`] : []),
      ...(untold.length > (state === 'Delivered' ? 0 : 1)
        ? [`${id}: ${untold} refused it, which is not told`]
        : []),
      ...(new Set(told).size < told.length ? [`${id}: ${told} is told twice`] : []),
    ];
  });
  expect({ seed, wrong }).toEqual({ seed, wrong: [] });
}, 240_000);
