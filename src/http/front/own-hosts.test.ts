/** What fronts without credentials refuse before they look at a call: hosts of others, and long bodies. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { jsonBodyLimitBytes } from '../bounds.ts';
import { listenAsFront } from './forward.ts';
import { createHostCheck } from './own-hosts.ts';

testEvery([
  ['127.0.0.1', 'localhost:4020', true],
  ['127.0.0.1', 'LOCALHOST', true],
  ['127.0.0.1', '127.8.9.1:1', true],
  ['127.0.0.1', '[::1]:4020', true],
  ['127.0.0.1', 'rebound.example:4020', false],
  ['127.0.0.1', 'localhost.rebound.example', false],
  ['127.0.0.1', '127.0.0.1.rebound.example', false],
  ['127.0.0.1', 'x@localhost', false],
  ['127.0.0.1', '', false],
  ['127.0.0.1', '192.168.1.7', false],
  ['127.0.0.1', 'sandbox:4020', false],
  ['box.example', 'BOX.example:9', true],
  ['box.example', 'rebound.example', false],
  ['fd00:0::1', '[fd00::1]:4020', true],
  ['fd00::1', '[fd00::2]', false],
  ['0.0.0.0', '192.168.1.7:4020', true],
  ['::', '[fd00::2]:4020', true],
  ['::', 'sandbox:4020', true],
  ['0.0.0.0', 'rebound.example', false],
  ['0.0.0.0', 'sandbox.', false],
])('on %s, Host %j: accepted %j', (host, header, accepted) => {
  expect(createHostCheck(host)([header]) === undefined).toBe(accepted);
});

const line = 'POST / HTTP/1.1\r\nConnection: close\r\n';
const long = 'x'.repeat(jsonBodyLimitBytes + 1);

testEvery([
  ['an own Host', `${line}Host: localhost\r\nContent-Length: 2\r\n\r\nhi`, '200', 'hi'],
  ['a rebound name', `${line}Host: rebound.example\r\n\r\n`, '421', '{"desc":"The Host rebound.example is'],
  ['no Host', `${line}\r\n`, '421', '{"desc":"A request without a Host is'],
  [
    'two Hosts',
    `${line}Host: localhost\r\nHost: localhost\r\n\r\n`,
    '421',
    '{"desc":"A request with several',
  ],
  [
    'a body that is announced as too long',
    `${line}Host: localhost\r\nContent-Length: ${long.length}\r\n\r\n`,
    '400',
    '{"desc":"The request body is larger than',
  ],
  [
    'a body that turns out too long',
    `${line}Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`,
    '400',
    '{"desc":"The request body is larger than',
  ],
])('%s', async (_name, request, status, body) => {
  const front = await listenAsFront(
    async (_request, response, read) => {
      response.end(read);
    },
    { host: '127.0.0.1', port: 0 },
  );
  const socket = connect(front.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(request);
  const response = await text(socket);
  await front.close();
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(response.split('\r\n\r\n').slice(1).join('')).toContain(body);
});
