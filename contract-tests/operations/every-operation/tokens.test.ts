/** Who may call: no, malformed, foreign, expired and revoked tokens, scopes, addresses and web origins, at every operation. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, secured } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let token: string;
beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000', READ_RATE_LIMIT_PER_SECOND: '1000000' });
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
afterAll(() => service?.dispose());
// What an address may get wrong comes back, and what the service knows of clients is read again.
beforeEach(() => service.pass(60_000));

type RequestParts = Parameters<typeof askAsPublished>[2];
const ask = (operation: DocumentedOperation, parts: RequestParts) =>
  askAsPublished(service.demo.baseUrl, operation, parts);

/** Asks every operation that needs a token; one after the other, so that wrong tokens never come too often. */
const everyOperation = (check: (operation: DocumentedOperation) => unknown) =>
  forEvery(
    secured.map((operation) => ({ operation, name: operation.operationId })),
    '$name',
    ({ operation }) => check(operation),
  );

const refused = ({ status, body, headers }: Answer) => [
  status,
  body.desc,
  headers.get('www-authenticate'),
  headers.get('error-code'),
  headers.get('link'),
];
const linkTo = (code: string) => `</docs/errors/${code}>; rel="help"`;

test('401 A bearer token is required.', () =>
  everyOperation(async (operation) => {
    const code = 'missing-token';
    const expected = [401, 'A bearer token is required.', 'Bearer', code, linkTo(code)];
    expect(refused(await ask(operation, {}))).toEqual(expected);
  }));

test.each<[string, () => string | Promise<string>]>([
  ['malformed', () => 'nonsense'],
  ['with another signature', () => `${token.slice(0, -4)}AAAA`],
  [
    'expired',
    async () => {
      const old = await tokenFor(service.demo.baseUrl, service.demo);
      service.pass(3_600_000 + 60_000);
      token = await tokenFor(service.demo.baseUrl, service.demo);
      return old;
    },
  ],
])('401 The bearer token is invalid or has expired. — %s', async (_what, make) => {
  const wrong = await make();
  await everyOperation(async (operation) => {
    const code = 'invalid-token';
    expect(refused(await ask(operation, { token: wrong }))).toEqual([
      401,
      'The bearer token is invalid or has expired.',
      'Bearer error="invalid_token"',
      code,
      linkTo(code),
    ]);
  });
});

type Restriction = 'revoked' | { scopes: [] } | { allowedAddresses: string[] } | { webOrigins: string[] };

/** Has a token already: what is switched off afterwards must stop it. */
async function restrictedTeam(restriction: Restriction) {
  const team = await addTeam(service);
  const its = await tokenFor(service.demo.baseUrl, team);
  const client = `/clients/${team.clientId}`;
  if (restriction === 'revoked') await service.operate(`POST ${client}/revoke`);
  else await edit(service.operate, client, restriction);
  service.pass(60_000);
  return { team, token: its };
}

const scopesOf = ({ security = [] }: DocumentedOperation) => Object.values(security[0] ?? {}).flat();
const denied = (code: string, reason: string) => [
  403,
  `Permission denied: ${reason}`,
  'Bearer error="insufficient_scope"',
  code,
  linkTo(code),
];

test.each<[string, string, Restriction, (operation: DocumentedOperation) => string]>([
  ['a disabled client', 'client-disabled', 'revoked', () => 'the client is disabled.'],
  [
    'another address',
    'address-not-allowed',
    { allowedAddresses: ['192.0.2.0/24'] },
    () => 'the client may not call from this address.',
  ],
  [
    'a client without the scope',
    'missing-scope',
    { scopes: [] },
    (operation) => `the scope ${scopesOf(operation)[0]} is required.`,
  ],
])('403 Permission denied: %s', async (_what, code, restriction, reasonOf) => {
  const { token: its } = await restrictedTeam(restriction);
  await everyOperation(async (operation) =>
    expect(refused(await ask(operation, { token: its }))).toEqual(denied(code, reasonOf(operation))),
  );
});

test('403 Permission denied: a page of a web origin that the client does not list', async () => {
  const origin = 'https://shop.example';
  // An origin is answered at all only if some client lists it.
  await restrictedTeam({ webOrigins: [origin] });
  const reason = 'the client may not be used by pages of this web origin.';
  await everyOperation(async (operation) =>
    expect(refused(await ask(operation, { token, headers: { origin } }))).toEqual(
      denied('web-origin-not-allowed', reason),
    ),
  );
});

test('a token with one scope opens the operations of that scope only', async () => {
  const scopes = [...new Set(secured.flatMap(scopesOf))];
  for (const scope of scopes) {
    const limited = await tokenFor(service.demo.baseUrl, service.demo, scope);
    await everyOperation(async (operation) => {
      const { status } = await ask(operation, { token: limited });
      expect([operation.operationId, status === 403]).toEqual([
        operation.operationId,
        !scopesOf(operation).every((needed) => needed === scope),
      ]);
    });
  }
});

test('permission comes before any check of body and service, and the token before that', async () => {
  const { token: its, team } = await restrictedTeam('revoked');
  const send = (by: string | undefined) =>
    call(service.demo.baseUrl, '/message/no-such', { token: by, body: '{' });
  expect((await send(its)).body).toEqual({ desc: 'Permission denied: the client is disabled.' });
  expect((await send(undefined)).status).toBe(401);
  expect((await send(token)).body).toEqual({ desc: 'The request body is not valid JSON.' });
  await expect(tokenFor(service.demo.baseUrl, team)).rejects.toThrow('invalid_client');
});

test('429 Too many requests were rejected. Try again later. — and who has a good token is served', async () => {
  const list = operations.find(({ operationId }) => operationId === 'listServices') as DocumentedOperation;
  expect((await ask(list, { token })).status).toBe(200);
  const wrong = () => ask(list, { token: `${token}x` });
  for (let answer = await wrong(); answer.status !== 429; answer = await wrong())
    expect(answer.status).toBe(401);
  const credentials = 'grant_type=client_credentials&client_id=demo&client_secret=wrong';
  await forEvery(
    operations.map((operation) => ({ operation, name: operation.operationId })),
    '$name',
    async ({ operation }) => {
      const isOpen = operation.security?.length === 0;
      const { status, body, headers } = isOpen
        ? await call(service.demo.baseUrl, operation.path, {
            body: credentials,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
        : await ask(operation, { token: `${token}x` });
      expect([status, body, Number(headers.get('retry-after'))]).toEqual([
        429,
        {
          error: 'rate_limit_exceeded',
          error_description: 'Too many requests were rejected. Try again later.',
        },
        1,
      ]);
    },
  );
  expect((await ask(list, { token })).status).toBe(200);
});
