/** What else an operator sets up by commands: managed senders, and a chat-app service until it sends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, tokenFor } from '../../support/service/api.ts';
import { type CommandLine, openCommandLine } from '../../support/service/command-line.ts';
import type { Beside } from '../../support/service/deployment.ts';

let line: CommandLine;
let service: Beside | undefined;

beforeAll(async () => {
  line = await openCommandLine('empty tables');
  await line.answerOf('team add acme');
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await line?.dispose();
});

const tarishi: CommandLine['tarishi'] = (...call) => line.tarishi(...call);
const answerOf: CommandLine['answerOf'] = (...call) => line.answerOf(...call);
const refused: CommandLine['refused'] = (...call) => line.refused(...call);

test('managed senders, and the templates that go out from them', async () => {
  const verify = { key: 'verify', name: 'Codes', category: 'AUTHENTICATION', sender: 'VERIFY' };
  const add = 'managed-sender add verify --category AUTHENTICATION --sender VERIFY --name Codes';
  expect(await answerOf(add)).toEqual(verify);
  await refused(add, 'managed sender verify already exists');
  expect(await answerOf('managed-sender list')).toEqual([verify]);
  const template = ['template', 'add', 'code', '--team', 'acme', '--content', '{{1}}', '--sender', 'verify'];
  await refused(
    [...template, '--category', 'UTILITY'],
    'managed sender verify is for AUTHENTICATION templates',
  );
  expect(await answerOf([...template, '--category', 'AUTHENTICATION'])).toMatchObject({
    approvalStatus: 'PENDING',
    sender: 'verify',
  });
  expect(await answerOf('template approve code')).toMatchObject({ approvalStatus: 'APPROVED' });

  await refused('managed-sender set verify', 'nothing to change: give --category, --sender or --name');
  await refused('managed-sender set nothing --name X', 'managed sender nothing does not exist');
  const changed = { ...verify, sender: 'CODES' };
  expect(await answerOf('managed-sender set verify --sender CODES')).toEqual(changed);
  expect(
    await answerOf(['managed-sender', 'set', 'verify', '--category', 'UTILITY', '--name', 'News']),
  ).toEqual({ ...changed, category: 'UTILITY', name: 'News' });
  expect(await tarishi('managed-sender set verify --sender much-too-long-a-name')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^tarishi: --sender must be a name of up to 11 letters/),
  });
  expect(await answerOf('template list')).toMatchObject([{ template: 'code', approvalStatus: 'APPROVED' }]);
}, 300_000);

test('chat-app services, and the numbers that they send from', async () => {
  const service = { service: 'acme-chat', team: 'acme', name: 'Shop', status: 'Active' };
  await refused('chat-service add acme-chat --team nobody', 'team nobody does not exist');
  expect(await answerOf('chat-service add acme-chat --team acme --name Shop')).toEqual(service);
  await refused('chat-service add acme-chat --team acme', 'chat-app service acme-chat already exists');
  await refused('chat-service set acme-chat', 'nothing to change: give --name or --status');
  await refused('chat-service set nothing --name Shop', 'chat-app service nothing does not exist');
  expect(await answerOf('chat-service set acme-chat --status Inactive')).toEqual({
    ...service,
    status: 'Inactive',
  });
  await answerOf('chat-service set acme-chat --status Active');
  expect(await answerOf('chat-service list --team acme')).toEqual([service]);
  await answerOf('sender add 1055 --service acme-chat --phone +254711000000 --connector chat-simulator');
}, 300_000);

test('chat-app templates, until they are sent', async () => {
  const file = join(line.directory, 'template.json');
  const write = (template: object) => writeFileSync(file, JSON.stringify(template));
  const add = ['chat-template', 'add', 'Order-Shipped', '--team', 'acme', '--category', 'UTILITY'];
  add.push('--language', 'en', '--file', file);
  await refused(add, /^tarishi: .+ENOENT/);
  const body = { text: 'Habari {{name}}, {{1}}' };
  write({ body, offer: {}, footer: 'Bye' });
  const usage = '\n\nUsage: tarishi chat-template add';
  expect(await tarishi(add)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      `tarishi: offer is not a known property\ntarishi: footer must be object${usage}`,
    ),
  });
  write({ body, buttons: [{ type: 'OTP', text: 'Copy' }] });
  expect(await tarishi(add)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      `tarishi: placeholders are all numbers or all names, in header, body and cards
tarishi: an OTP button is only for templates of category AUTHENTICATION${usage}`,
    ),
  });
  write({ body: { text: 'Habari {{1}}' } });
  const template = {
    template: 'Order-Shipped',
    team: 'acme',
    name: 'order_shipped',
    language: 'en',
    category: 'UTILITY',
    status: 'Active',
    approvalStatus: 'PENDING',
    comment: null,
    body: 'Habari {{1}}',
  };
  expect(await answerOf(add)).toEqual(template);
  await refused(add, 'chat-app template Order-Shipped already exists');
  const rejected = { ...template, approvalStatus: 'REJECTED', comment: 'INVALID_FORMAT' };
  expect(await answerOf('chat-template reject Order-Shipped --comment INVALID_FORMAT')).toEqual(rejected);
  expect(await answerOf('chat-template pause Order-Shipped')).toMatchObject({ approvalStatus: 'PAUSED' });
  await refused('chat-template pause Order-Shipped', 'chat-app template Order-Shipped is already PAUSED');
  await refused('chat-template approve nothing', 'chat-app template nothing does not exist');
  await answerOf('chat-template archive Order-Shipped');
  await answerOf('chat-template restore Order-Shipped');
  const approved = { ...template, approvalStatus: 'APPROVED' };
  expect(await answerOf('chat-template approve Order-Shipped')).toEqual(approved);
  expect(await answerOf('chat-template list --team acme')).toEqual([approved]);

  await refused(
    'chat-template set Order-Shipped',
    'nothing to change: give --category, --language, --file or --name',
  );
  await refused('chat-template set nothing --language sw', 'chat-app template nothing does not exist');
  write({ body: { text: 'Habari {{1}}' }, buttons: [{ type: 'OTP', text: 'Copy' }] });
  expect(await tarishi(['chat-template', 'set', 'Order-Shipped', '--file', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining('tarishi: an OTP button is only for templates of category AUTHENTICATION\n'),
  });
  expect(await answerOf('chat-template list')).toEqual([approved]);
  await answerOf(['chat-template', 'set', 'Order-Shipped', '--category', 'AUTHENTICATION', '--file', file]);
  expect(await tarishi('chat-template set Order-Shipped --category UTILITY')).toMatchObject({ code: 2 });
  write({ body: { text: 'Karibu {{name}}' } });
  await answerOf(['chat-template', 'set', 'Order-Shipped', '--category', 'UTILITY', '--file', file]);
  const renamed = 'chat-template set Order-Shipped --language sw --name on_its_way';
  expect(await answerOf(renamed)).toEqual({
    ...template,
    name: 'on_its_way',
    language: 'sw',
    body: 'Karibu {{name}}',
  });
  await answerOf('chat-template approve Order-Shipped');

  const client = await answerOf('client add chat --team acme --scope message.chatapp.send');
  service = await line.start();
  const token = await tokenFor(service.baseUrl, client);
  const { body: answer } = await call(service.baseUrl, '/message/acme-chat/chatapp', {
    token,
    body: {
      type: 'TemplateSendToMany',
      phoneNumberId: '1055',
      templateId: 'Order-Shipped',
      addresses: ['+254711000000'],
      params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }],
    },
  });
  expect(answer.result).toMatchObject({ type: 'ChatAppResponse', addresses: 1, units: {} });
  expect(await service.stop()).toBe(0);
}, 400_000);
