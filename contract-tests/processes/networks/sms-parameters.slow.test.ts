/** What an SMS brings besides its text, from the API to the network: Wireshark finds it in what is sent. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { printed, withTshark } from '../../../src/connectors/smpp/peers/tshark-testing.ts';
import { startSimulatedSmsc } from '../../../src/partner/sandbox/smsc/simulated.ts';
import type { Smsc } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { edit } from '../../support/management/caller.ts';
import { type SmsCaller, smsInProcess, templateToMany, toMany } from '../../support/requests/sms.ts';
import { until } from '../../support/service/pages.ts';

const test = withTshark;

const entityId = '1101234567890123456';
const templateId = '1107234567890123456';
const to = ['+919400001000'];

let smsc: Smsc;
let wire: Awaited<ReturnType<typeof record>>;
let sms: Awaited<ReturnType<typeof smsInProcess>>;
beforeAll(async () => {
  smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    publishedScripts.sms,
    pino({ level: 'silent' }),
  );
  wire = await record(smsc.port);
  sms = await smsInProcess({}, { delivers: true });
  const { operate } = sms.service;
  await operate('POST /connectors', {
    name: 'bharat',
    settings: { preset: 'india', host: '127.0.0.1', port: wire.port, systemId: 'trial' },
    secrets: { password: 'secret' },
  });
  await operate('POST /channels', {
    name: 'Bharat',
    prefixes: ['9194'],
    connector: 'bharat',
    requiredRegistrations: ['entityId', 'templateId'],
  });
  await operate('POST /sms-templates', {
    id: 'shipped',
    teamId: 'demo',
    content: 'Your order has shipped.',
    category: 'UTILITY',
  });
});
afterAll(async () => {
  await sms?.service.dispose();
  await wire?.close();
  await smsc?.close();
});

const get: SmsCaller['get'] = (path) => sms.get(path);
const change = async (resource: string, body: object) => {
  await edit(sms.service.operate, resource, body);
  // Facts of requests are at most two seconds old.
  sms.service.pass(2_000);
};
const registerSender = (registrations: object) =>
  change('/senders/tarishi', { uses: [{}, { country: 'IN', registrations }] });

/** What Wireshark says of the submit_sm that come of the request. */
async function traceOf(body: object): Promise<string> {
  const before = wire.sent.length;
  const { status, body: accepted } = await sms.send(body);
  expect(status).toBe(200);
  await until(
    async () => {
      await sms.service.settle();
      return get(`/requests/${accepted.result.requestId}/messages`);
    },
    (items) => items.every(({ state }) => state === 'Delivered'),
  );
  return printed(wire.sent.slice(before), ['-O', 'smpp', '-Y', 'smpp.command_id == 4']);
}

test('a message to India goes with its registrations, or not at all', async () => {
  const { smsServiceId } = sms.demo;
  const balance = async () => (await get('/balances?product=Sms')).body.items;
  const before = await balance();
  await registerSender({ entityId });
  expect(await sms.send(toMany(to))).toMatchObject({
    status: 400,
    body: {
      desc: `Missing registrations: Bharat needs templateId. Add them to sender TARISHI, or send a message template that has them.`,
    },
  });
  const template = templateToMany('shipped', to, []);
  expect((await sms.post(`/message/${smsServiceId}/preview`, template)).body).toMatchObject({
    sendable: false,
    recipients: [{ problems: [{ code: 'registrations-missing' }] }],
  });
  expect(await sms.send(template)).toMatchObject({ status: 400 });
  expect(await balance()).toEqual(before);

  await change('/sms-templates/shipped', { registrations: { templateId } });
  const trace = await traceOf(template);
  const values = [...trace.matchAll(/Tag: (0x\w+)\s+Length: 19\s+Value: (\w+)/g)].map(([, tag, hex = '']) => [
    tag,
    Buffer.from(hex, 'hex').toString(),
  ]);
  expect(values).toEqual([
    ['0x1400', entityId],
    ['0x1401', templateId],
  ]);
});

test('a text of message class 0 is a flash SMS for the network', async () => {
  await registerSender({ entityId, templateId });
  expect(await traceOf(toMany(to, 'Habari', { messageClass: 0 }))).toContain('DCS Message class: Class 0');
});

/** Passes on what a connector says to the SMSC, and keeps it. */
async function record(port: number) {
  const sent: Buffer[] = [];
  const server = createServer((socket) => {
    const smsc = connect(port, '127.0.0.1');
    socket.on('data', (octets) => sent.push(octets));
    for (const one of [socket, smsc])
      one.on('error', () => {}).on('close', () => [socket, smsc].map((each) => each.destroy()));
    socket.pipe(smsc).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sent,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
