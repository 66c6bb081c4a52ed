/** The simulated network: what each number's last four digits lead to. */
import { describe, expect, test } from '@jest/globals';
import type { HandOver, OutboundMessage } from '../contract/connector.ts';
import { createSimulator } from './sms-simulator.ts';

const sms = (suffix: string, id = '1'): OutboundMessage => ({
  id,
  product: 'sms',
  channel: 'Safaricom',
  phone: `+25471100${suffix}`,
  sender: 'TARISHI',
  content: 'Habari',
});
const at = (state: string, afterSeconds = 0) => ({ kind: 'accepted', reports: [{ state, afterSeconds }] });
const delivered = at('Delivered');

describe('an SMS', () => {
  test.each<[string, object]>([
    ['0001', { kind: 'rejected', state: 'Failed', reason: expect.any(String) }],
    ['0002', at('AbsentSubscriber')],
    ['0003', at('SenderBlacklisted')],
    ['0004', at('SubscriberOptedOut')],
    ['0005', { kind: 'rejected', state: 'InvalidMsisdn', reason: expect.any(String) }],
    ['0006', at('DeliveryImpossible')],
    ['0007', at('DeliveryUncertain')],
    ['0009', at('Delivered', 30)],
    ['0000', delivered],
    ['0011', delivered],
    ['1000', delivered],
    ['4321', delivered],
  ])('to …%s', async (suffix, outcome) => {
    expect(await createSimulator().send([sms(suffix)])).toMatchObject([outcome]);
  });

  test('to …0008 is taken and never reported', async () => {
    const [outcome] = await createSimulator().send([sms('0008')]);
    expect(outcome).toMatchObject({ kind: 'accepted' });
    expect((outcome as Extract<HandOver, { kind: 'accepted' }>).reports ?? []).toEqual([]);
  });

  test('to …0010 is throttled twice and then delivered, each message by itself', async () => {
    const { send } = createSimulator();
    const outcomes = [];
    for (const id of ['1', '1', '2', '1', '2', '2']) outcomes.push(...(await send([sms('0010', id)])));
    const later = { kind: 'later', delaySeconds: expect.any(Number) };
    expect(outcomes).toMatchObject([later, later, later, delivered, later, delivered]);
  });
});

test('every message of a batch gets its own outcome, in order', async () => {
  const batch = ['0001', '4321', '0010', '0002'].map((suffix, index) => sms(suffix, String(index)));
  const outcomes = await createSimulator().send(batch);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'accepted', 'later', 'accepted']);
  expect(await createSimulator().send([])).toEqual([]);
});
