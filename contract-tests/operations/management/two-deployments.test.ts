/**
 * Two deployments, each with its own address, database and keys, and with the same ids: nothing that opens one of them, and
 * no id that only one has, is known in the other.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pathOf, secured, sending } from '../../../spec/document.ts';
import { loadDocument, scopesOf } from '../../../src/contract/document.ts';
import { connectionLimit } from '../../../src/http/bounds.ts';
import { listen } from '../../../src/http/connections/listener.ts';
import { createUser } from '../../../src/manage/access/users.ts';
import { startApi } from '../../../src/process/serve.ts';
import { sessionCookie } from '../../support/console/people.ts';
import type { CallManagement } from '../../support/management/caller.ts';
import { addResources, addShared, callOperation } from '../../support/management/calls.ts';
import { operations } from '../../support/management/document.ts';
import { type Named, names } from '../../support/management/named.ts';
import { startManagementService } from '../../support/management/service.ts';
import { type Answer, call, tokenFor } from '../../support/service/api.ts';

interface Deployment {
  /** Of the API of clients. */
  baseUrl: string;
  /** With an access key. */
  as: (key: string) => CallManagement;
  /** The status of a page of the console, with a session. */
  pageWith: (session: string) => Promise<number>;
  tokenWith: (clientSecret: string) => Promise<Answer>;
  opens: { clientSecret: string; token: string; accessKey: string; session: string };
  /** Of a team that only this deployment has. */
  own: Named;
}

const clientId = 'shop';

async function startDeployment(name: string): Promise<Deployment> {
  const service = await startManagementService();
  endings.push(service.close);
  const { origin } = new URL(service.url);
  const clients = await listen({ host: '127.0.0.1', port: 0, connectionLimit });
  const baseUrl = clients.url;
  const wake = { delivery: () => {}, receipts: () => {} };
  const api = await startApi(service.context, { clients, publicUrl: baseUrl }, { wake });
  endings.push(api.stop);

  const root = await service.user('root', { role: 'owner' });
  await addShared(root);
  const own = await addResources(service, root, names(name));
  await root('POST /teams', { id: 'acme' });
  const { body } = await root('POST /clients', {
    id: clientId,
    teamId: 'acme',
    scopes: scopesOf(loadDocument()),
  });
  const { clientSecret } = body;
  const { accessKey } = await createUser(service.management, { id: 'asha', teamId: null, role: 'owner' });
  const signedIn = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ accessKey }),
    redirect: 'manual',
  });
  const [, session = ''] =
    new RegExp(`${sessionCookie}=([^;]+)`).exec(signedIn.headers.get('set-cookie') ?? '') ?? [];
  return {
    baseUrl,
    as: service.as,
    pageWith: async (cookie) =>
      (await fetch(`${origin}/console/teams`, { headers: { cookie: `${sessionCookie}=${cookie}` } })).status,
    tokenWith: (secret) =>
      call(baseUrl, '/oauth/token', {
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: secret,
        }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    opens: { clientSecret, token: await tokenFor(baseUrl, { clientId, clientSecret }), accessKey, session },
    own,
  };
}

/** Also those of a deployment that did not start. */
const endings: (() => Promise<void>)[] = [];
let deployments: Record<'north' | 'south', Deployment>;
beforeAll(async () => {
  deployments = { north: await startDeployment('north'), south: await startDeployment('south') };
});
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

/** What does not answer with the status. */
const except = (expected: number, answers: { status: number; what: string }[]) =>
  answers.filter(({ status }) => status !== expected);

describe.each([
  ['north', 'south'],
  ['south', 'north'],
] as const)('what the %s deployment gave, in the %s', (from, to) => {
  const given = () => deployments[from].opens;
  const here = () => deployments[to];

  test('the secret of a client gets no token', async () => {
    expect((await deployments[from].tokenWith(given().clientSecret)).status).toBe(200);
    expect((await here().tokenWith(given().clientSecret)).status).toBe(401);
  });

  test('a token is 401 at every operation', async () => {
    const called = async (baseUrl: string, operation: (typeof secured)[number]) => {
      const ids = Object.fromEntries(
        [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, id = '']) => [id, 'x']),
      );
      const { status } = await call(baseUrl, pathOf(operation, ids), {
        method: operation.method.toUpperCase(),
        token: given().token,
      });
      return { status, what: operation.operationId };
    };
    const answers = [];
    for (const operation of secured) answers.push(await called(here().baseUrl, operation));
    expect(except(401, answers)).toEqual([]);
    expect(answers.length).toBeGreaterThan(sending.length);
    const home = await Promise.all(secured.map((one) => called(deployments[from].baseUrl, one)));
    expect(home.filter(({ status }) => status === 401)).toEqual([]);
  });

  test('an access key is 401 at every operation of the management API', async () => {
    const { accessKey } = given();
    expect((await deployments[from].as(accessKey)('GET /teams')).status).toBe(200);
    const answers = [];
    for (const operation of operations) {
      const { status } = await callOperation(here().as(accessKey), operation, here().own);
      answers.push({ status, what: operation.operationId });
    }
    expect(except(401, answers)).toEqual([]);
  });

  test('a session of the console is 401', async () => {
    expect(await deployments[from].pageWith(given().session)).toBe(200);
    expect(await here().pageWith(given().session)).toBe(401);
  });

  test('ids of what only that deployment has are 404, for a client and for an owner', async () => {
    const { own } = deployments[from];
    const { token, accessKey } = here().opens;
    const reading = secured.filter(
      ({ method, path }) => method === 'get' && /\{(request|receipt)Id\}/.test(path),
    );
    expect(reading.length).toBeGreaterThan(1);
    for (const operation of reading)
      expect(
        (await call(here().baseUrl, pathOf(operation, { ...own }), { method: 'GET', token })).status,
      ).toBe(404);
    const named = operations.filter(({ method, path }) => method === 'get' && path.includes('{'));
    const answers = [];
    for (const operation of named) {
      const { status } = await callOperation(here().as(accessKey), operation, own);
      answers.push({ status, what: operation.operationId });
    }
    expect(except(404, answers)).toEqual([]);
  });
});
