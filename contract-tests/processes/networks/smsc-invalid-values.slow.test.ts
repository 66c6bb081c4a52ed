/** An SMSC that answers and reports with poisonous values: one bind, every text once, and all healthy receipts. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shortMessage } from '../../../src/connectors/smpp/testing.ts';
import { esm } from '../../../src/connectors/smpp/wire/commands.ts';
import { createFramer, decodePdu, encodeCommand, encodePdu } from '../../../src/connectors/smpp/wire/pdu.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms, toEach } from '../../support/requests/sms.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

const none = { systemId: 'smsc', tlvs: [] };
const string = (text: string) => Buffer.from(`${text}\0`, 'latin1');

/** Bodies of submit_sm_resp by what is wrong with them. */
const ids: Record<string, Buffer> = {
  'no id': Buffer.alloc(0),
  'an empty id': string(''),
  'white space': string(' \t '),
  controls: string('\u0001\u001b[2J\u007f'),
  'upper half of Latin-1': string('\u0080\u009b\u00ff'),
  '65 octets': string('x'.repeat(65)),
  '255 octets': string('y'.repeat(255)),
  '256 octets': string('x'.repeat(256)),
  '60,000 octets': string('x'.repeat(60_000)),
  'no end': Buffer.from('abc'),
  'half a parameter': Buffer.from('6100042700', 'hex'),
  'an id of two messages': string('0'),
  'the same id': string('0'),
};

const report = (id: string, fields: string, more: Parameters<typeof shortMessage>[0] = {}) => ({
  ...shortMessage({ esmClass: esm.receipt, text: Buffer.from(`id:${id} ${fields}`, 'latin1'), ...more }),
  command: 'deliver_sm' as const,
});
/** What else a report on a delivered message may say. */
const fields: Record<string, string> = {
  'a code of NUL': 'stat:DELIVRD err:\0',
  'a code of controls': 'stat:DELIVRD err:\u0001\u001b\u009b',
  'a code of 200 octets': `stat:DELIVRD err:${'9'.repeat(200)}`,
  'an invalid date': 'done date:9999999999 stat:DELIVRD err:000',
  'a text of NUL': 'stat:DELIVRD err:000 text:\0\0\0',
};
const tlv = (tag: number, value: Buffer) => ({ tag, value });
/** A deliver_sm that nobody can read: the octets of its body. */
const broken = (body: Buffer) => {
  const octets = Buffer.concat([encodeCommand('enquire_link', 0, 1, {}), body]);
  octets.writeUInt32BE(octets.length, 0);
  octets.writeUInt32BE(5, 4);
  return octets;
};
/** deliver_sm that are about no message of ours. */
const strays: Buffer[] = [
  broken(Buffer.alloc(0)),
  broken(Buffer.from('0001013131', 'hex')),
  broken(Buffer.concat([Buffer.from('000101'), Buffer.alloc(500, 0x31), Buffer.alloc(20)])),
  encodePdu(report('x'.repeat(200), 'stat:DELIVRD')),
  encodePdu(report('\u0001\u009b', 'stat:DELIVRD')),
  encodePdu(report('1', 'stat:'.repeat(30))),
  encodePdu(report('', '', { tlvs: [tlv(0x001e, Buffer.alloc(3_000, 0x78)), tlv(0x0427, Buffer.of(2))] })),
  encodePdu(report('', '', { tlvs: [tlv(0x001e, Buffer.alloc(64)), tlv(0x0427, Buffer.alloc(0))] })),
  encodePdu(report('', '', { text: Buffer.alloc(0), tlvs: [tlv(0x0424, Buffer.alloc(65_000, 'id:'))] })),
];

const poisons = [...Object.keys(ids), ...Object.keys(fields)];
/** As many healthy messages as poisonous ones, in turns. */
const texts = poisons.flatMap((poison, index) => [poison, `healthy ${index}`]);

let server: Server;
let sms: SmsService;
let receiver: Receiver;
const sockets = new Set<Socket>();
const taken: string[] = [];
let binds = 0;
let sequence = 0;

function serve(socket: Socket): void {
  sockets.add(socket);
  const send = (octets: Buffer) => {
    sequence += 1;
    octets.writeUInt32BE(sequence, 12);
    socket.write(octets);
  };
  const push = createFramer((octets) => {
    const pdu = decodePdu(octets);
    if (pdu.command === 'enquire_link') socket.write(encodeCommand('enquire_link_resp', 0, pdu.sequence, {}));
    if (pdu.command === 'bind_transceiver') {
      binds += 1;
      socket.write(encodeCommand('bind_transceiver_resp', 0, pdu.sequence, none));
    }
    if (pdu.command !== 'submit_sm') return;
    const text = pdu.text.toString('latin1');
    const id = `id-${taken.push(text)}`;
    const response = Buffer.concat([
      encodeCommand('enquire_link_resp', 0, pdu.sequence, {}),
      ids[text] ?? string(id),
    ]);
    response.writeUInt32BE(response.length, 0);
    response.writeUInt32BE(0x8000_0004, 4);
    socket.write(response);
    for (const stray of strays) send(Buffer.from(stray));
    if (ids[text] === undefined) send(encodePdu(report(id, fields[text] ?? 'stat:DELIVRD err:000')));
  });
  socket.on('data', push);
  socket.on('error', () => {});
}

beforeAll(async () => {
  receiver = await startReceiver();
  server = createServer(serve);
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  const settings = { host: '127.0.0.1', port, systemId: 'tarishi', unanswered: 'resend' };
  sms = await startSms({}, (prepared) =>
    addSafaricomConnector(prepared, { name: 'smsc', kind: 'smpp', settings }),
  );
});
afterAll(async () => {
  await sms?.service.dispose();
  receiver?.close();
  for (const socket of sockets) socket.destroy();
  server?.close();
});

test('200: each text is sent once over one bind, and each healthy message has its receipt', async () => {
  const messages = texts.map((message, index) => ({ phone: `+2547110${20_000 + index}`, message }));
  const receiptRequest = { correlator: 'c', callbackUrl: receiver.url('/poison') };
  expect((await sms.send(toEach(messages, { receiptRequest }))).status).toBe(200);
  const reported = texts.length - Object.keys(ids).length;
  const receipts = await receiver.received('/poison', reported);
  expect(receipts.map(({ body }) => body.deliveryStatus)).toEqual(Array(reported).fill('Delivered'));
  // What follows the poisonous ones finds the connection as it was.
  expect(
    (await sms.send(toEach([{ phone: '+254711029999', message: 'afterwards' }], { receiptRequest }))).status,
  ).toBe(200);
  await receiver.received('/poison', reported + 1);
  expect([...taken].sort()).toEqual([...texts, 'afterwards'].sort());
  expect(binds).toBe(1);
});
