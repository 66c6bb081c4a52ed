/** Hostile HTTP: any input gets a 4xx that says why, and the next call gets its response. */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import {
  phones,
  smsInProcess,
  templateToEach,
  templateToMany,
  toEach,
  toMany,
} from '../../support/requests/sms.ts';

const seed = Number(process.env.SEED);
const generated = Number(process.env.HOSTILE ?? sized(150, 3_000));

let sms: Awaited<ReturnType<typeof smsInProcess>>;

beforeAll(async () => {
  sms = await smsInProcess({ RATE_LIMIT_PER_SECOND: '1000000' });
});
afterAll(() => sms.service.dispose());
afterEach(async () => {
  expect((await sms.send(toMany(['0711000000']))).status).toBe(200);
});

testEvery<[string, string, string]>([
  ['__proto__ instead of fields', '{"__proto__":{"type":"SendToMany"}}', '/type is required'],
  [
    'constructor as type',
    '{"type":"constructor"}',
    '/type must be one of SendToEach, SendToMany, TemplateSendToEach, TemplateSendToMany',
  ],
  [
    '__proto__ in a strict object',
    JSON.stringify(templateToMany('t', ['1'], [])).replace('{', '{"__proto__":1,'),
    '/__proto__ is not allowed',
  ],
])('400 for %s', async (_case, body, desc) => {
  const answer = await sms.send(body);
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
});

testEvery(['Application/JSON; charset="UTF-8"', 'application/json;charset=utf8'])(
  '200 for %s, and for no encoding by its name',
  async (type) => {
    const headers = { 'content-type': type, 'content-encoding': 'Identity' };
    expect((await sms.send(JSON.stringify(toMany(['0711000000'])), { headers })).status).toBe(200);
  },
);

/** Writes raw bytes, and returns all that arrives until the connection closes or is quiet. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(sms.demo.baseUrl);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text.replaceAll('\n', '\r\n')));
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
}

describe('broken HTTP', () => {
  const post = (headers: string, body = '') =>
    `POST /message/demo-sms HTTP/1.1\nHost: x\n${headers}\n\n${body}`;
  test.each<[string, string, RegExp]>([
    ['no HTTP at all', 'hello\n\n', /^HTTP\/1\.1 400 /],
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 2\nTransfer-Encoding: chunked', '{}'),
      /^HTTP\/1\.1 4\d\d /,
    ],
    [
      'a broken chunk',
      post(`Authorization: Bearer TOKEN\nContent-Type: application/json\nTransfer-Encoding: chunked`, 'zz\n'),
      /^HTTP\/1\.1 4\d\d /,
    ],
    ['20 kB of headers', post(`X-Long: ${'x'.repeat(20_000)}`), /^HTTP\/1\.1 431 /],
    ['CONNECT', 'CONNECT other.example:443 HTTP/1.1\nHost: x\n\n', /^HTTP\/1\.1 400 /],
    ['an unknown expectation', post('Expect: miracles\nContent-Length: 2', '{}'), /^HTTP\/1\.1 401 /],
    ['a broken escape', 'GET /%zz HTTP/1.1\nHost: x\n\n', /^HTTP\/1\.1 404 /],
    ['another scheme in the path', 'GET ftp://x/y HTTP/1.1\nHost: x\n\n', /^HTTP\/1\.1 4\d\d /],
    ['TRACE', 'TRACE /message/demo-sms HTTP/1.1\nHost: x\n\n', /^HTTP\/1\.1 405 /],
  ])('%s', async (_case, request, expected) => {
    const answer = await raw(request.replace('TOKEN', sms.token));
    expect(answer).toMatch(expected);
    expect(answer).not.toMatch(/HTTP\/1\.1 5/);
    expect(answer).toMatch(/^X-Request-Id: [\w-]{1,64}\r$/im);
    expect(answer).toMatch(/\{"desc":"[^"]+"\}/);
  });
});

test(`${generated} bodies, each with one part of a valid one replaced: never 5xx, and 400 says why (SEED=${seed})`, async () => {
  const valid: object[] = [
    toMany(phones(2), 'x', { receiptRequest: { correlator: 'c', callbackUrl: 'https://client.example/' } }),
    toEach([{ phone: '0711000000', message: 'x' }]),
    templateToMany(sms.demo.templates.named, ['0711000000'], sms.demo.templateParams.named),
    templateToEach(sms.demo.templates.positional, [
      { phone: '0711000000', params: sms.demo.templateParams.positional },
    ]),
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...valid),
      fc.nat(),
      fc.jsonValue({ maxDepth: 3 }),
      async (body, place, value) => {
        const mutated = replaceAt(structuredClone(body), place, value);
        const answer = await sms.send(JSON.stringify(mutated));
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 400) expect(answer.body.desc).toMatch(/\S/);
      },
    ),
    { seed, numRuns: generated },
  );
});

/** Replaces the n-th part of a tree, counted through and around. */
function replaceAt(body: object, n: number, value: unknown): unknown {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown) => {
    if (node === null || typeof node !== 'object') return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(body);
  const place = places[n % (places.length + 1)];
  if (place === undefined) return value;
  const [parent, key] = place;
  parent[key] = value;
  return body;
}
