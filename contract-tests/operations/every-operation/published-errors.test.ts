/**
 * Every error that the document publishes for the content of a request is given: with its status, its sentence, its code and
 * the link to its page. The rules that choose it have tests of their own, beside them.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type AnswerExample,
  answerExamples,
  operationOf,
  pathOf,
  requestsOf,
} from '../../../spec/document.ts';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { isInstance, lineOf, note } from '../../support/document/exercised.ts';
import {
  callFor,
  deniedPhone,
  made,
  strictPrefix,
  type World,
} from '../../support/document/published-errors.ts';
import { edit } from '../../support/management/caller.ts';
import { addChatAppTemplate, addTeam } from '../../support/management/team.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let world: World;
let tokens: Record<'demo' | 'poor', string>;

beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000', READ_RATE_LIMIT_PER_SECOND: '1000000' });
  const { demo, knex, operate } = service;
  const poor = await addTeam(service, { chatApp: { MARKETING: 1 } });
  world = { demo, poor };
  await operate('POST /sms-services', { id: made.idleSms, teamId: 'demo', sender: 'TARISHI' });
  await edit(operate, `/sms-services/${made.idleSms}`, { status: 'Inactive' });
  const asked = { teamId: 'demo', uses: [{ status: 'Pending' }] };
  await operate('POST /senders', { ...asked, id: made.unapprovedSms, sender: 'ASKED' });
  await operate('POST /sms-services', { id: made.unapprovedSms, teamId: 'demo', sender: 'ASKED' });
  await operate('POST /senders', {
    id: made.codesSms,
    teamId: 'demo',
    sender: 'CODES',
    category: 'AUTHENTICATION',
  });
  await operate('POST /sms-services', { id: made.codesSms, teamId: 'demo', sender: 'CODES' });
  await operate('POST /sms-services', { id: made.genericSms, teamId: 'demo', sender: 'INFO' });
  await edit(operate, '/sender-rules/KE', {
    enabled: true,
    separatePromotional: false,
    genericNames: ['info'],
  });
  await edit(operate, `/clients/${demo.clientId}`, { destinations: { deny: [deniedPhone] } });
  await operate('POST /chatapp-services', { id: made.idleChatApp, teamId: 'demo' });
  await edit(operate, `/chatapp-services/${made.idleChatApp}`, { status: 'Inactive' });
  await addChatAppTemplate(service, { id: made.paused, teamId: 'demo' }, 'PAUSED');
  await operate('POST /channels', {
    name: made.strict,
    prefixes: [strictPrefix],
    connector: 'simulator',
    requiredRegistrations: ['templateId'],
  });
  // The management API rejects both.
  const text = { team_id: 'demo', content: 'Hi', approval_status: 'APPROVED', param_definitions: '[]' };
  await knex('sms_templates').insert([
    { ...text, id: made.orphaned, category: 'UTILITY', managed_service_key: 'no-such-sender' },
    { ...text, id: made.mixedUp, category: 'MARKETING', managed_service_key: 'otp-sender' },
  ]);
  await knex('inbound_messages').insert({
    id: made.closed,
    ...{
      team_id: 'demo',
      product: 'chatapp',
      service_id: demo.chatAppServiceId,
      connector: 'chat-simulator',
    },
    ...{ phone: '+254711000000', recipient: '+254709000001', kind: 'text', text: 'Habari' },
    received_at: knex.raw(`service_now() - interval '2 days'`),
  });
  tokens = { demo: await tokenFor(demo.baseUrl, demo), poor: await tokenFor(demo.baseUrl, poor) };
});
afterAll(() => service?.dispose());

/** Those of tokens, limits, keys in use and faults of the service have files of their own. */
const ofContent = ({ operation, status, name }: AnswerExample) =>
  ['400', '404'].includes(status) || (operation.operationId === 'issueToken' && name === 'invalidClient');

async function ask(example: AnswerExample) {
  const { operation } = example;
  const maker = callFor(example);
  if (maker === undefined) throw new Error('published-errors.ts has no call that brings it about');
  const { body, headers = {}, query, ids, byPoorTeam } = maker(world);
  const method = operation.method.toUpperCase();
  const fallback = [...requestsOf(operation).examples.values()][0];
  const idsOfDemo = { serviceId: world.demo.smsServiceId };
  const path = pathOf(operation, ids ?? (operation.path.startsWith('/services/') ? idsOfDemo : {}));
  return call(world.demo.baseUrl, query === undefined ? path : `${path}?${query}`, {
    method,
    headers,
    token: operation.security?.length ? tokens[byPoorTeam ? 'poor' : 'demo'] : undefined,
    ...(operation.requestBody === undefined ? {} : { body: body ?? fallback }),
  });
}

/** The sentences of each code. */
const said = new Map<string, Set<string>>();

testEvery(
  answerExamples()
    .filter(ofContent)
    .map((example) => ({ example, title: `${example.operation.operationId} ${example.name}` })),
)('$title', async ({ example }) => {
  const { status, body, headers } = await ask(example);
  expect(String(status)).toBe(example.status);
  if (!isInstance(body, example.value)) expect(body).toEqual(example.value);
  // Nothing else notes a path that belongs to no operation.
  note(lineOf(example));
  const code = headers.get('error-code') ?? '';
  said.set(code, new Set(said.get(code)).add(body.desc ?? body.error_description));
  expect(headers.get('link')).toBe(`</docs/errors/${code}>; rel="help"`);
});

/** Whose rule is a line of a handler: by the code, the sentence with the details of the calls. */
const ofHandlers: Readonly<Record<string, string>> = {
  'schema-violation': '/type is required',
  'invalid-idempotency-key': 'Idempotency-Key must have 1 to 255 printable ASCII characters.',
  'texts-differ': '/messages/0/message and /messages/0/text differ',
  'invalid-cursor': 'The cursor does not belong to this list. Start again without a cursor.',
  'invalid-period': 'Query parameter from must be earlier than to, by at most 366 days.',
  'invalid-replay-period': '/to must be later than /from',
  'invalid-test-url':
    'callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.',
  'forbidden-test-address': 'callbackUrl must not name a private or reserved IP address.',
  'template-missing': 'Message template nope not found.',
  'request-unknown': 'Request 00000000-0000-4000-8000-000000000000 not found.',
  'receipt-unknown': 'Receipt 00000000-0000-4000-8000-000000000000 not found.',
  'no-route': 'Resource not found.',
};

test('those of handlers have their sentences', () => {
  for (const [code, sentence] of Object.entries(ofHandlers))
    expect([code, [...(said.get(code) ?? [])]]).toEqual([code, expect.arrayContaining([sentence])]);
});

test('503 while the network that has a file is away', async () => {
  const [connector, id] = ['whatsapp-away', randomUUID()];
  const settings = { baseUrl: `http://127.0.0.1:${await freePort()}`, allowPlainHttp: true };
  await service
    .knex('connectors')
    .insert({ name: connector, kind: 'whatsapp', settings: JSON.stringify(settings) });
  await service.knex('inbound_messages').insert({
    ...{ id, team_id: 'demo', product: 'chatapp', service_id: world.demo.chatAppServiceId, connector },
    ...{ phone: '+254711000000', recipient: '+254709000001', kind: 'media', text: '' },
    media: JSON.stringify({ id: '17', mimeType: 'image/png' }),
  });
  const operation = operationOf('getInboundMedia');
  const answer = await call(world.demo.baseUrl, pathOf(operation, { messageId: id }), {
    method: 'GET',
    token: tokens.demo,
  });
  expect([answer.status, answer.headers.get('error-code')]).toEqual([503, 'network-away']);
});
