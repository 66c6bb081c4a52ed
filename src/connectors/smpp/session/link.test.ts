/** One SMPP connection against a peer that does as it should, and against one that does not. */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createFakeTimers, type FakeTimers, listenRaw, until } from '../fake-testing.ts';
import { shortMessage } from '../testing.ts';
import { createFramer, decodePdu, encodeCommand, type Pdu, type UnknownPdu } from '../wire/pdu.ts';
import { type Answer, createLink, type Link, type OwnersRequest } from './link.ts';

let timers: FakeTimers;
let link: Link;
let peer: Socket;
let received: (Pdu | UnknownPdu)[];
let requests: OwnersRequest[];
let unreadable: string[];
let closed: string[];
let end: () => Promise<void>;

beforeEach(async () => {
  timers = createFakeTimers();
  received = [];
  requests = [];
  unreadable = [];
  closed = [];
  let connected: Socket | undefined;
  const server = await listenRaw((socket) => {
    connected = socket;
    const push = createFramer((octets) => received.push(decodePdu(octets)));
    socket.on('data', push);
  });
  const socket = connect(server.port, '127.0.0.1');
  await until(() => connected !== undefined);
  if (connected === undefined) throw new Error('not connected');
  peer = connected;
  link = createLink(socket, {
    timers,
    responseTimeoutMs: 20_000,
    enquireEveryMs: 30_000,
    enquireDeadlineMs: 10_000,
    onRequest: (request) => requests.push(request),
    onUnreadable: (octets) => unreadable.push(octets.toString('hex')),
    onClosed: (reason) => closed.push(reason),
  });
  end = server.close;
});

afterEach(async () => {
  link.close('the test ends');
  await end();
});

const nothing = { messageId: '', tlvs: [] };
const submit = () => {
  const answers: (Answer<'submit_sm'> | undefined)[] = [];
  link.request('submit_sm', shortMessage(), (answer) => answers.push(answer));
  return answers;
};
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const got = (command: string) => received.find((pdu) => pdu.command === command);

describe('requests', () => {
  test('a generic_nack is a response', async () => {
    const answers = submit();
    peer.write(encodeCommand('generic_nack', 3, 1, {}));
    await until(() => answers.length === 1);
    expect(answers).toMatchObject([{ command: 'generic_nack', status: 3 }]);
  });

  test('a late or unknown response is ignored', async () => {
    peer.write(encodeCommand('submit_sm_resp', 0, 77, nothing));
    peer.write(encodeCommand('enquire_link', 0, 5, {}));
    await until(() => got('enquire_link_resp') !== undefined);
    expect(closed).toEqual([]);
  });

  test.each([
    ['ends inside a field', '00000000 00000005 00000000 00000009 0000'],
    ['has a parameter without its end', '00000000 00000103 00000000 00000009 0427 0005 02'],
  ])('one from the peer that %s is rejected alone, and passed on without its number', async (_case, octets) => {
    const answers = submit();
    await until(() => received.length === 1);
    const bytes = hex(octets);
    bytes.writeUInt32BE(bytes.length, 0);
    peer.write(bytes);
    peer.write(encodeCommand('submit_sm_resp', 0, 1, { messageId: 'a', tlvs: [] }));
    await until(() => answers.length === 1 && got('generic_nack') !== undefined);
    expect(received.at(-1)).toMatchObject({ command: 'generic_nack', status: 2, sequence: 9 });
    expect([answers, closed]).toMatchObject([[{ messageId: 'a' }], []]);
    expect(unreadable).toEqual([Buffer.concat([bytes.subarray(0, 12), bytes.subarray(16)]).toString('hex')]);
  });

  test('from the peer get responses, unknown ones a generic_nack', async () => {
    peer.write(encodeCommand('deliver_sm', 0, 9, shortMessage()));
    peer.write(hex('00000010 00000777 00000000 0000000A'));
    await until(() => requests.length === 1 && got('generic_nack') !== undefined);
    const [request] = requests;
    if (request?.command !== 'deliver_sm') throw new Error('no deliver_sm');
    link.respond(request, 0, nothing);
    await until(() => got('deliver_sm_resp') !== undefined);
    expect(received).toMatchObject([
      { command: 'generic_nack', status: 3, sequence: 10 },
      { command: 'deliver_sm_resp', sequence: 9 },
    ]);
  });
});

describe('enquiries', () => {
  test('are sent every 30 s, and a response keeps the link', async () => {
    for (const sequence of [1, 2]) {
      timers.advance(30_000);
      await until(() => received.length === sequence);
      peer.write(encodeCommand('enquire_link_resp', 0, sequence, {}));
      await until(() => link.outstanding() === 0);
    }
    expect(received.map(({ command }) => command)).toEqual(['enquire_link', 'enquire_link']);
    expect(closed).toEqual([]);
  });

  test('one without a response in time ends the link, and its callers are told', async () => {
    timers.advance(29_000);
    const answers = submit();
    timers.advance(1_000);
    timers.advance(10_000);
    expect(closed).toEqual(['enquire_link was not answered']);
    expect(answers).toEqual([undefined]);
    await until(() => peer.readableEnded || peer.destroyed);
  });
});

describe('the end', () => {
  test.each([
    ['a length that no PDU has', '00000004', 2],
    ['a response to a bind that ends inside a field', '00000012 80000009 00000000 00000001 6161', 2],
    ['a response of another kind', encodeCommand('deliver_sm_resp', 0, 1, nothing).toString('hex'), 3],
  ])('%s closes the session, with a generic_nack', async (_case, octets, status) => {
    const answers = submit();
    await until(() => received.length === 1);
    peer.write(hex(octets));
    await until(() => closed.length === 1 && peer.readableEnded);
    expect(closed[0]).toContain('malformed');
    expect(answers).toEqual([undefined]);
    expect(received.at(-1)).toMatchObject({ command: 'generic_nack', status });
  });

  test.each([
    ['a reset', () => peer.resetAndDestroy()],
    ['a close', () => peer.end()],
  ])('%s', async (_case, act) => {
    const answers = submit();
    act();
    await until(() => closed.length === 1);
    expect(answers).toEqual([undefined]);
    // Requests on a closed link get no response either.
    expect(submit()).toEqual([undefined]);
  });

  test('the peer unbinds: it gets a response, and the link ends', async () => {
    peer.write(encodeCommand('unbind', 0, 4, {}));
    await until(() => closed.length === 1 && peer.readableEnded);
    expect(closed).toEqual(['the peer unbound']);
    expect(received).toMatchObject([{ command: 'unbind_resp', sequence: 4 }]);
  });

  test('we unbind: the link ends with the response', async () => {
    link.unbind(5_000);
    await until(() => got('unbind') !== undefined);
    peer.write(encodeCommand('unbind_resp', 0, 1, {}));
    await until(() => closed.length === 1);
    expect(closed).toEqual(['unbound']);
  });

  test('we unbind: the link ends without one too', () => {
    link.unbind(5_000);
    timers.advance(5_000);
    expect(closed).toEqual(['unbind was not answered']);
  });
});

test('a peer that floods without reading is no longer read', async () => {
  peer.pause();
  const enquiry = encodeCommand('enquire_link', 0, 1, {});
  const flood = Buffer.concat(Array.from({ length: 4_096 }, () => enquiry));
  let sent = 0;
  // Until its own connection is full, or it has sent far more than any connection holds.
  while (sent < 4_000 && peer.write(flood)) sent += 1;
  while (sent < 4_000 && peer.writableLength < 64 * 1024 * 1024) {
    peer.write(flood);
    sent += 1;
    await new Promise(setImmediate);
  }
  expect(sent).toBeLessThan(4_000);
  expect(closed).toEqual([]);
});
