/** No callback reaches a private address, by literal, name, rebinding or redirect: connections are counted. */
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createTestBed, selfSigned } from '../testing.ts';
import type { LookedUp, Lookup } from './connect.ts';
import { createDestinations, type Destinations } from './destination.ts';

const bed = createTestBed();
afterEach(bed.end);
const { listen } = bed;
const client = (destinations: Destinations, lookup?: Lookup) =>
  bed.client({ destinations, timeoutMs: 30_000, ...(lookup === undefined ? {} : { lookup }) });

const address = (text: string): LookedUp => ({ address: text, family: text.includes(':') ? 6 : 4 });
const namesLeadTo =
  (...addresses: string[]): Lookup =>
  (_hostname, _options, callback) =>
    callback(null, addresses.map(address));
const noLookup: Lookup = (hostname) => {
  throw new Error(`${hostname} was looked up`);
};
const ok = () => createServer((_request, response) => response.end('received'));

const production = createDestinations({ allowLoopback: false });
const development = createDestinations({ allowLoopback: true });
/** Pretends that one address of this machine is public, and that the others are not. */
const publicAddress = '127.0.0.2';
const onlyPublic: Destinations = {
  urlRefusal: () => undefined,
  addressAllowed: (text) => text === publicAddress,
};
const anywhere: Destinations = { urlRefusal: () => undefined, addressAllowed: () => true };
const refused = { kind: 'refused', reason: 'address not allowed' };
const received = { kind: 'answered', status: 200 };

testEvery(['2130706433', '0.0.0.0', '127.0.0.1.'])(
  'the literal %s leads here, and is refused: http and https',
  async (host) => {
    const listener = await listen(ok(), '0.0.0.0');
    const { post } = client(production, noLookup);
    expect(await post(`http://${host}:${listener.port}/`, {}, '{}')).toStrictEqual(refused);
    expect(await post(`https://${host}:${listener.port}/`, {}, '{}')).toStrictEqual(refused);
    expect(await listener.connections()).toBe(0);
    expect(await client(anywhere).post(`http://${host}:${listener.port}/`, {}, '{}')).toMatchObject(received);
  },
);

describe('names', () => {
  testEvery([
    ['loopback', ['127.0.0.1']],
    ['loopback over IPv6', ['::1']],
    ['link-local with a zone', ['fe80::1%lo']],
    ['mapped loopback', ['::ffff:127.0.0.1']],
    ['public, then loopback', ['93.184.215.14', '127.0.0.1']],
    ['many public ones, and one that is not', [...Array<string>(30).fill('93.184.215.14'), '10.0.0.1']],
    ['an invalid address', ['localhost']],
  ])('that resolve to %s', async (_rule, addresses) => {
    const listener = await listen(ok(), '0.0.0.0');
    const { post } = client(production, namesLeadTo(...addresses));
    expect(await post(`http://receipts.example:${listener.port}/`, {}, '{}')).toStrictEqual(refused);
    expect(await post(`https://receipts.example:${listener.port}/`, {}, '{}')).toStrictEqual(refused);
    expect(await listener.connections()).toBe(0);
  });

  testEvery<[string, Lookup]>([
    ['that do not exist', (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), [])],
    ['without an address', namesLeadTo()],
  ])('%s', async (_rule, lookup) => {
    const outcome = await client(production, lookup).post('http://receipts.example/', {}, '{}');
    expect(outcome).toStrictEqual({ kind: 'failed', reason: 'dns' });
  });

  testEvery(['localhost', 'receipts.localhost'])(
    '%s is this machine, and needs the development switch',
    async (name) => {
      const listener = await listen(ok());
      const url = `http://${name}:${listener.port}/`;
      expect(await client(production).post(url, {}, '{}')).toStrictEqual(refused);
      expect(await listener.connections()).toBe(0);
      expect(await client(development).post(url, {}, '{}')).toMatchObject(received);
    },
  );
});

describe('rebinding', () => {
  const bothSides = async () => {
    const hidden = await listen(ok(), '127.0.0.1');
    const open = createServer((_request, response) => {
      response.setHeader('connection', 'close');
      response.end();
    });
    return { hidden, open: await listen(open, publicAddress, hidden.port) };
  };

  test('a name that resolves elsewhere every other time is rejected every other time', async () => {
    const { hidden, open } = await bothSides();
    let asked = 0;
    const fickle: Lookup = (_hostname, _options, callback) => {
      asked += 1;
      callback(null, [address(asked % 2 === 1 ? publicAddress : '127.0.0.1')]);
    };
    const { post } = client(onlyPublic, fickle);
    for (let round = 0; round < 10; round += 1) {
      const url = `http://receipts.example:${hidden.port}/`;
      expect(await post(url, {}, '{}')).toMatchObject(received);
      expect(await post(url, {}, '{}')).toStrictEqual(refused);
    }
    expect([asked, await open.connections(), await hidden.connections()]).toStrictEqual([20, 10, 0]);
  });

  test('an address that changes after the check is not used', async () => {
    const { hidden, open } = await bothSides();
    let read = 0;
    const fickle: LookedUp = {
      family: 4,
      get address() {
        read += 1;
        return read === 1 ? publicAddress : '127.0.0.1';
      },
    };
    const { post } = client(onlyPublic, (_hostname, _options, callback) => callback(null, [fickle]));
    expect(await post(`http://receipts.example:${hidden.port}/`, {}, '{}')).toMatchObject(received);
    expect([await open.connections(), await hidden.connections()]).toStrictEqual([1, 0]);
  });

  testEvery(['http', 'https'])('a peer that was never checked receives no byte over %s', async (scheme) => {
    const hidden = await listen(ok(), '127.0.0.1');
    const { post } = client(onlyPublic, noLookup);
    expect(await post(`${scheme}://127.0.0.1:${hidden.port}/`, {}, '{}')).toStrictEqual(refused);
    await hidden.deserted();
    expect([await hidden.connections(), hidden.bytesReceived()]).toStrictEqual([1, 0]);
  });
});

testEvery([301, 307, 201])('a redirect is a response: %i', async (status) => {
  const hidden = await listen(ok());
  const open = await listen(
    createServer((_request, response) => {
      response.writeHead(status, { location: hidden.url, refresh: `0; url=${hidden.url}` }).end();
    }),
  );
  expect(await client(development).post(open.url, {}, '{}')).toStrictEqual({ kind: 'answered', status });
  expect([await open.connections(), await hidden.connections()]).toStrictEqual([1, 0]);
});

test('a proxy of the environment is not used', async () => {
  const proxy = await listen(ok());
  const open = await listen(ok());
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
  bed.onEnd(() => {
    names.forEach((name, index) => {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    });
  });
  expect(await client(development).post(`http://127.0.0.1:${open.port}/`, {}, '{}')).toMatchObject(received);
  expect([await open.connections(), await proxy.connections()]).toStrictEqual([1, 0]);
});

describe('TLS', () => {
  const identity = selfSigned('receipts.example');
  const secure = () => createSecureServer(identity, (_request, response) => response.end());
  const trusted = () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, identity.cert]);
    bed.onEnd(() => setDefaultCACertificates(before));
    return secure();
  };
  const postTo = (host: string, port: number) =>
    client(development, namesLeadTo('127.0.0.1')).post(`https://${host}:${port}/`, {}, '{}');

  const plain = () => createTcpServer((socket) => socket.end('220 smtp.example ESMTP\r\n'));
  const untrusted = { kind: 'failed', reason: 'tls' };

  test.each<[string, () => Server, string, object]>([
    ['a certificate without a trusted issuer', secure, 'receipts.example', untrusted],
    ['a certificate that is trusted and names the host', trusted, 'receipts.example', received],
    ['a certificate of another host', trusted, 'other.example', untrusted],
    ['a peer without TLS', plain, 'receipts.example', untrusted],
  ])('%s', async (_what, server, host, outcome) => {
    const { port } = await listen(server());
    expect(await postTo(host, port)).toMatchObject(outcome);
  });
});
