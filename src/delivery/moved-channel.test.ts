/** A channel that moves to another connector: messages that the old one has, or may have, stay with it. */
import { expect, test } from '@jest/globals';
import type { HandOver } from '../connectors/contract/connector.ts';
import { pollRound } from './poll.ts';
import { network, openedDelivery } from './testing.ts';

const delivery = openedDelivery(10);

const given: Extract<HandOver, { kind: 'accepted' }> = {
  kind: 'accepted',
  reports: ['Delivered'],
};
const unclear: HandOver = { kind: 'unclear', delaySeconds: 1 };
const bundle = { product: 'data', content: '1GB' } as const;

/** The old connector returns this for the bundle; then the channel has a new one. */
async function move(handOver: HandOver) {
  const old = network(
    () => handOver,
    () => given,
  );
  const fresh = network(
    () => given,
    () => given,
  );
  await delivery.accept(bundle);
  await delivery.deliverRound(delivery.dependencies({ data: old.connector }));
  await delivery.hurry();
  return { old, fresh, now: { data: old.connector, 'data Safaricom': fresh.connector } };
}

const heard = ({ sent, asked }: ReturnType<typeof network>) => [sent.length, asked.length];

test('the old one is queried about an interrupted hand-over', async () => {
  const { old, fresh, now } = await move(unclear);
  await delivery.deliverRound(delivery.dependencies(now));
  expect([heard(old), heard(fresh), await delivery.states()]).toEqual([[1, 1], [0, 0], ['Delivered']]);
});

test('while the old one cannot be queried, the new one does not get the message', async () => {
  const { fresh } = await move(unclear);
  await delivery.deliverRound(delivery.dependencies({ 'data Safaricom': fresh.connector }));
  expect([heard(fresh), await delivery.states()]).toEqual([[0, 0], ['Sending']]);
});

test('the old one is queried about messages that it accepted', async () => {
  const { old, fresh, now } = await move({ kind: 'accepted' });
  await pollRound(delivery.dependencies(now));
  expect([heard(old), heard(fresh), await delivery.states()]).toEqual([[1, 1], [0, 0], ['Delivered']]);
});

test('the new one gets what the old one did not accept', async () => {
  const { old, fresh, now } = await move({ kind: 'later', delaySeconds: 1 });
  await delivery.deliverRound(delivery.dependencies(now));
  expect([heard(old), heard(fresh), await delivery.states()]).toEqual([[1, 0], [1, 0], ['Delivered']]);
});
