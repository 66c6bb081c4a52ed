/** The management API alone: from an empty production database to an SMS that is found again by phone number. */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { templateToMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type CommandLine, openCommandLine } from '../../support/service/command-line.ts';
import type { Beside } from '../../support/service/deployment.ts';

let line: CommandLine;
let service: Beside;

beforeAll(async () => {
  line = await openCommandLine('empty tables');
});
afterAll(async () => {
  await service?.stop();
  await line?.dispose();
});

const receiptRequest = { correlator: 'c1', callbackUrl: 'https://acme.example/' };

/** Calls the management API; throws unless it succeeds. */
function managementAt(url: string, key: string) {
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return { body: JSON.parse(text), etag: response.headers.get('etag') ?? '' };
  };
}

test('owner, team, client, channel, connector, service, reviewed template, top-up, SMS', async () => {
  const { accessKey } = await line.answerOf('user add root --role owner');
  service = await line.start({ NODE_ENV: 'production', PUBLIC_URL: 'https://sms.example.com' });
  const url = /"managementUrl":"([^"]+)"/.exec(service.output())?.[1] ?? '';

  const root = managementAt(url, accessKey);
  const { body: owner } = await root('POST', '/users', { id: 'amina', role: 'owner' });
  const amina = managementAt(url, owner.accessKey);
  await amina('POST', '/teams', { id: 'acme', name: 'Acme Ltd' });
  const { body: credentials } = await amina('POST', '/clients', {
    id: 'shop',
    teamId: 'acme',
    scopes: ['message.sms.send.oneway', 'reward.mobile-data.disburse', 'message.read'],
  });
  await amina('POST', '/connectors', { name: 'trial', kind: 'simulator' });
  await amina('POST', '/channels', { name: 'Safaricom', prefixes: ['25471'], connector: 'trial' });
  await amina('POST', '/managed-senders', { key: 'verify', category: 'AUTHENTICATION', sender: 'VERIFY' });
  const { body: member } = await amina('POST', '/users', { id: 'juma', teamId: 'acme', role: 'admin' });
  const { body: reviewer } = await amina('POST', '/users', { id: 'zuri', role: 'reviewer' });

  const juma = managementAt(url, member.accessKey);
  await juma('POST', '/sms-services', { id: 'orders', sender: 'ACME' });
  const template = { id: 'code', content: 'Code {{code}}', category: 'AUTHENTICATION' };
  await juma('POST', '/sms-templates', { ...template, managedServiceKey: 'verify' });

  const zuri = managementAt(url, reviewer.accessKey);
  const { body: queue } = await zuri('GET', '/sms-templates?approvalStatus=PENDING');
  expect(queue.items).toMatchObject([{ id: 'code', teamId: 'acme' }]);
  const { etag } = await zuri('GET', '/sms-templates/code');
  await zuri('POST', '/sms-templates/code/review', { decision: 'APPROVED' }, { 'if-match': etag });

  const topUp = { product: 'Sms', units: 10, reference: 'invoice-1' };
  for (const repeated of [false, true])
    expect((await amina('POST', '/teams/acme/top-ups', topUp)).body).toMatchObject({ balance: 10, repeated });

  const token = await tokenFor(service.baseUrl, { clientId: 'shop', clientSecret: credentials.clientSecret });
  const body = templateToMany('code', ['0711000000'], [{ name: 'code', value: '4711' }]);
  const sent = await call(service.baseUrl, '/message/orders', { token, body });
  expect(sent.body.result).toMatchObject({ units: { Safaricom: 1 } });

  const phone = encodeURIComponent('+254711000000');
  const found = await call(service.baseUrl, `/messages?phone=${phone}`, { method: 'GET', token });
  expect(found.body.items).toMatchObject([{ requestId: sent.body.result.requestId, phone: '+254711000000' }]);
  expect((await juma('GET', '/teams/acme/ledger')).body.items).toMatchObject([
    { units: -1, reason: 'Debit' },
    { units: 10, reason: 'TopUp', reference: 'invoice-1' },
  ]);
  const { body: audit } = await juma('GET', '/audit');
  expect(
    audit.items.map(({ action, noun }: { action: string; noun: string }) => `${action} ${noun}`),
  ).toEqual([
    'top up account',
    'approve template',
    'create template',
    'create service',
    'create user',
    'create client',
    'create team',
  ]);

  // A bundle that no connector takes is said to wait, once.
  await juma('POST', '/campaigns', {
    id: 'gift',
    serviceId: 'orders',
    allowedDenominations: ['50MB'],
    frequency: 'Unlimited',
  });
  await amina('POST', '/teams/acme/top-ups', {
    product: 'MobileData',
    channel: 'Safaricom',
    denomination: '50MB',
    units: 2,
    reference: 'invoice-2',
  });
  const bundle = { type: 'SendToMany', phones: ['0711000000'], denomination: '50MB', receiptRequest };
  for (let time = 0; time < 2; time += 1)
    expect((await call(service.baseUrl, '/data/gift', { token, body: bundle })).status).toBe(200);
  const said = /"product":"data","channel":"Safaricom","msg":"messages wait until they expire/g;
  while (!said.test(service.output())) await setImmediate();
  await service.stop();
  expect(service.output().match(said)).toHaveLength(1);
});
