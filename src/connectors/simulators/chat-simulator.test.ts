/** The simulated chat app: what each number's last four digits lead to. */
import { expect, test } from '@jest/globals';
import type { OutboundMessage } from '../contract/connector.ts';
import { createChatSimulator } from './chat-simulator.ts';

const message = (suffix: string, id = '1'): OutboundMessage => ({
  id,
  product: 'chatapp',
  channel: '106540352242922',
  phone: `+25471100${suffix}`,
  sender: '+254709000001',
  content: '{}',
});
const steps = (...reports: [state: string, afterSeconds: number][]) => ({
  kind: 'accepted',
  networkId: 'simulated.1',
  reports: reports.map(([state, afterSeconds]) => ({ state, afterSeconds })),
});
const read = steps(['Sent', 0], ['Delivered', 1], ['Read', 3]);
const failed = steps(['Sent', 0], ['Failed', 1]);
const refused = { kind: 'rejected', state: 'Failed', reason: expect.any(String) };

test.each<[string, object]>([
  ['0001', refused],
  ['0002', failed],
  ['0003', failed],
  ['0004', failed],
  ['0005', refused],
  ['0006', failed],
  ['0007', steps(['Sent', 0], ['Uncertain', 1])],
  ['0008', steps()],
  ['0009', steps(['Sent', 0], ['Delivered', 30], ['Read', 32])],
  ['0000', read],
  ['1000', read],
  ['4321', read],
])('a message to …%s', async (suffix, outcome) => {
  expect(await createChatSimulator().send([message(suffix)])).toMatchObject([outcome]);
});

test('a message to …0010 is throttled twice and then delivered and read', async () => {
  const { send } = createChatSimulator();
  const outcomes = [];
  for (let attempt = 0; attempt < 3; attempt += 1) outcomes.push(...(await send([message('0010')])));
  const later = { kind: 'later', delaySeconds: expect.any(Number) };
  expect(outcomes).toMatchObject([later, later, read]);
});
