/** Keys of an issuer that is down, slow or sends nonsense: nothing grows, and known keys stay valid. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import {
  createScriptedVerify,
  createSigner,
  type ScriptedIssuer,
  type Signer,
  startScriptedIssuer,
} from './scripted-issuer-testing.ts';

const refused = { status: 401 };
let issuer: ScriptedIssuer;
let first: Signer;
let second: Signer;
beforeAll(async () => {
  issuer = await startScriptedIssuer();
  [first, second] = await Promise.all([createSigner('first'), createSigner('second')]);
});
afterAll(() => issuer.stop());
beforeEach(() => {
  issuer.asked.length = 0;
  issuer.keys = [first.published];
  issuer.respond = undefined;
});

let made = 0;
/** Never the same twice: a token that was verified is remembered. */
const tokenOf = (signer: Signer) => {
  made += 1;
  return signer.sign({ iss: issuer.issuer, client_id: 'shop', jti: String(made) });
};

describe('an issuer that responds with', () => {
  const json = (body: unknown) => (_request: unknown, response: { end: (text: string) => void }) =>
    response.end(JSON.stringify(body));
  const keysAt = (uri: unknown) => json({ issuer: issuer.issuer, jwks_uri: uri });

  testEvery<[string, () => ScriptedIssuer['respond']]>([
    ['a web page', () => (_request, response) => response.end('<html>')],
    ['null', () => json(null)],
    ['an error', () => (_request, response) => response.writeHead(500).end('{}')],
    [
      'another issuer name',
      () => (request, response) =>
        json(
          request.url === '/keys'
            ? { keys: issuer.keys }
            : { issuer: 'https://other.example', jwks_uri: `${issuer.issuer}/keys` },
        )(request, response),
    ],
    ['no address of its keys', () => keysAt(undefined)],
    ['metadata in place of keys', () => keysAt(`${issuer.issuer}/elsewhere`)],
    ['a connection that breaks', () => (request) => request.socket.destroy()],
  ])('%s', async (_what, respond) => {
    issuer.respond = respond();
    const { verify, reachability } = createScriptedVerify(issuer);
    await expect(verify(await tokenOf(first))).rejects.toMatchObject(refused);
    expect(reachability).toEqual([false]);
  });

  test('a redirect: it is not followed', async () => {
    issuer.respond = (_request, response) => response.writeHead(302, { Location: '/keys' }).end();
    await expect(createScriptedVerify(issuer).verify(await tokenOf(first))).rejects.toMatchObject(refused);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
  });

  test('an endless document: the connection is closed', async () => {
    let closed = false;
    issuer.respond = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more).on('close', () => {
        closed = true;
      });
      more();
    };
    await expect(createScriptedVerify(issuer).verify(await tokenOf(first))).rejects.toMatchObject(refused);
    while (!closed) await new Promise(setImmediate);
  });

  test('a document that stalls: the read is given up', async () => {
    issuer.respond = (_request, response) => void response.write('{');
    await expect(createScriptedVerify(issuer).verify(await tokenOf(first))).rejects.toMatchObject(refused);
  });
});

test('all tokens that wait for keys share one read', async () => {
  const { verify } = createScriptedVerify(issuer);
  const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(first)));
  await Promise.all(tokens.map((token) => verify(token)));
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

test('an unknown key causes another read, at most every five seconds', async () => {
  const { verify, stopwatch } = createScriptedVerify(issuer);
  await verify(await tokenOf(first));
  for (let turn = 0; turn < 3; turn += 1)
    await expect(verify(await tokenOf(second))).rejects.toMatchObject(refused);
  expect(issuer.asked).toHaveLength(2);

  issuer.keys = [second.published];
  stopwatch.elapsedMs = 5_000;
  await verify(await tokenOf(second));
  await expect(verify(await tokenOf(first))).rejects.toMatchObject(refused);
  expect(issuer.asked).toHaveLength(4);
});

test('while the issuer is down, known keys are valid for an hour after they were read', async () => {
  const { verify, reachability, stopwatch } = createScriptedVerify(issuer);
  await verify(await tokenOf(first));
  issuer.respond = (request) => request.socket.destroy();
  stopwatch.elapsedMs = 5_000;
  await expect(verify(await tokenOf(second))).rejects.toMatchObject(refused);
  expect(reachability).toEqual([false]);

  for (const elapsedMs of [5_001, 600_000, 3_599_999]) {
    stopwatch.elapsedMs = elapsedMs;
    await verify(await tokenOf(first));
  }
  stopwatch.elapsedMs = 3_600_000;
  await expect(verify(await tokenOf(first))).rejects.toMatchObject(refused);

  issuer.respond = undefined;
  stopwatch.elapsedMs = 3_605_000;
  await verify(await tokenOf(first));
  expect(reachability).toEqual([false, true]);
});
