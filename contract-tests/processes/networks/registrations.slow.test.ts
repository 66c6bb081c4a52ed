/** Registrations from the management API to the network: what lacks them is refused, and Wireshark finds them in what is sent. */
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { printed, withTshark } from '../../../src/connectors/smpp/peers/tshark-testing.ts';
import { startSimulatedSmsc } from '../../../src/partner/sandbox/smsc/simulated.ts';
import { edit } from '../../support/management/caller.ts';
import { smsInProcess, templateToMany, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';

const test = withTshark;

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

test('a message to India goes with its registrations, or not at all', async () => {
  const smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    publishedScripts.sms,
    pino({ level: 'silent' }),
  );
  ends.push(smsc.close);
  const wire = await record(smsc.port);
  ends.push(wire.close);
  const { demo, token, post, send, service } = await smsInProcess({}, { delivers: true });
  ends.push(service.dispose);
  const { operate, settle, pass } = service;
  const settings = { preset: 'india', host: '127.0.0.1', port: wire.port, systemId: 'trial' };
  await operate('POST /connectors', { name: 'bharat', settings, secrets: { password: 'secret' } });
  const requiredRegistrations = ['entityId', 'templateId'];
  await operate('POST /channels', {
    name: 'Bharat',
    prefixes: ['9194'],
    connector: 'bharat',
    requiredRegistrations,
  });
  await operate('POST /sms-templates', {
    id: 'shipped',
    teamId: 'demo',
    content: 'Your order has shipped.',
    category: 'UTILITY',
  });
  const balance = async () =>
    (await call(demo.baseUrl, '/balances?product=Sms', { method: 'GET', token })).body.items;
  const before = await balance();
  const to = ['+919400001000'];

  await edit(operate, `/sms-services/${demo.smsServiceId}`, {
    registrations: { entityId: '1101234567890123456' },
  });
  const desc = (where: string) => `Missing registrations: Bharat needs templateId. Add them to ${where}.`;
  expect(await send(toMany(to))).toMatchObject({
    status: 400,
    body: { desc: desc(`service ${demo.smsServiceId}, or send a message template that has them`) },
  });
  const template = templateToMany('shipped', to, []);
  expect((await post(`/message/${demo.smsServiceId}/preview`, template)).body).toMatchObject({
    sendable: false,
    recipients: [{ problems: [{ code: 'registrations-missing' }] }],
  });
  expect(await send(template)).toMatchObject({ status: 400 });
  expect(await balance()).toEqual(before);

  await edit(operate, '/sms-templates/shipped', { registrations: { templateId: '1107234567890123456' } });
  // Facts of requests are at most two seconds old.
  pass(2_000);
  const { body } = await send(template);
  await settle();
  const { items } = (
    await call(demo.baseUrl, `/requests/${body.result.requestId}/messages`, { method: 'GET', token })
  ).body;
  expect(items).toMatchObject([{ state: 'Delivered' }]);
  const trace = printed(wire.sent(), ['-O', 'smpp', '-Y', 'smpp.command_id == 4']);
  const values = [...trace.matchAll(/Tag: (0x\w+)\s+Length: 19\s+Value: (\w+)/g)].map(([, tag, hex = '']) => [
    tag,
    Buffer.from(hex, 'hex').toString(),
  ]);
  expect(values).toEqual([
    ['0x1400', '1101234567890123456'],
    ['0x1401', '1107234567890123456'],
  ]);
}, 60_000);

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
    sent: () => sent,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
