/** Templates in the console: shown as phones show them, previewed unsaved, and reviewed by their difference. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';
import { type CallManagement, edit } from '../../support/management/caller.ts';

let service: ConsoleService;
let owner: Visitor;
let reviewer: Visitor;
let api: CallManagement;

const offer = { teamId: 'acme', category: 'MARKETING', managedServiceKey: 'offers' };

beforeAll(async () => {
  ({ service, owner, api } = await startAcme());
  reviewer = await service.visitor('judge', { role: 'reviewer' });
  await api('POST /senders', { id: 'offers', category: 'MARKETING', sender: 'OFFERS' });
  await api('POST /sms-templates', { ...offer, id: 'weekend', content: 'This week only: {{offer}}' });
});
afterAll(() => service.close());

test('an SMS template is shown with samples, and what it costs', async () => {
  const { text } = await owner.open('/templates/sms/weekend');
  expect(text).toContain('This week only: offer</div>');
  expect(text).toContain('GSM-7 · 21 characters · 1 part · 1 unit');
});

test('a preview shows what is not saved, with the values that were given, and saves nothing', async () => {
  const { status, text } = await owner.send('/templates/sms/weekend/edit', {
    content: 'Only today’s: {{offer}}',
    'value.offer': '20 % off',
    deed: 'preview',
  });
  expect(status).toBe(200);
  expect(text).toContain('Only today’s: 20 % off</div>');
  expect(text).toContain('<bdi>’</bdi> makes this UCS-2: 70 instead of 160 characters.');
  expect((await api('GET /sms-templates/weekend')).body.content).toBe('This week only: {{offer}}');
  const valued = await reviewer.send('/templates/sms/weekend/preview', { 'value.offer': 'half price' });
  expect(valued.text).toContain('This week only: half price</div>');
});

test('an edit sends back the text as it is, with what a page makes visible elsewhere', async () => {
  const content = 'Only\r\ntoday: \u200f{{offer}}';
  await api('POST /sms-templates', { ...offer, id: 'lines', content });
  expect((await owner.send('/templates/sms/lines/edit')).location).toBe('/templates/sms/lines');
  expect((await owner.open('/templates/sms/lines/edit')).text).not.toMatch(/\[U\+200F\][^<]*<\/textarea>/);
  await owner.send('/templates/sms/lines/edit', { name: 'Lines' });
  expect((await api('GET /sms-templates/lines')).body.content.replaceAll('\r\n', '\n')).toBe(
    content.replaceAll('\r\n', '\n'),
  );
});

test('a chat-app template is drawn with a sample in every place', async () => {
  await api('POST /chatapp-templates', {
    id: 'shipped',
    teamId: 'acme',
    language: 'en',
    category: 'UTILITY',
    components: {
      header: { format: 'IMAGE' },
      body: { text: 'Habari {{name}}, order {{order}} has shipped.' },
      footer: { text: 'Reply STOP to opt out' },
      buttons: [{ type: 'URL', text: 'Track it', url: 'https://acme.example/{{order}}' }],
    },
  });
  const { text } = await owner.open('/templates/chat-app/shipped');
  expect(text).toContain('Habari name, order order has shipped.');
  expect(text).toContain('Track it<span class="sub">https://acme.example/sample</span>');
});

test('a chat-app template that was changed since its approval shows the difference', async () => {
  await edit(api, '/chatapp-templates/shipped', { decision: 'APPROVED' }, 'review');
  expect((await owner.open('/templates/chat-app/shipped')).text).not.toContain('class="difference"');
  const body = { text: 'Habari {{name}}, order {{order}} is here.' };
  await edit(api, '/chatapp-templates/shipped', { components: { body, buttons: [] } });
  const { text } = await owner.open('/templates/chat-app/shipped');
  expect(text).toContain('order {{order}} <del>has');
  expect(text).toContain('order {{order}} <ins>is');
});

const written = {
  id: 'greeting',
  teamId: 'acme',
  language: 'en',
  category: 'UTILITY',
  'components.header.format': 'TEXT',
  'components.header.text': 'From {{shop}}',
  'components.body.text': 'Habari {{name}}.',
  'components.buttons.0.type': 'QUICK_REPLY',
  'components.buttons.0.text': 'Asante',
};

test('a chat-app template is written in fields, drawn before it is stored, and changed in the same fields', async () => {
  const drawn = await owner.send('/new/templates/chat-app', { ...written, deed: 'preview' });
  for (const part of ['From shop</b>', 'Habari name.', '<li>Asante']) expect(drawn.text).toContain(part);
  expect((await api('GET /chatapp-templates/greeting')).status).toBe(404);
  await owner.send('/new/templates/chat-app', written);
  const stored = async () => (await api('GET /chatapp-templates/greeting')).body.components;
  const header = { format: 'TEXT', text: 'From {{shop}}' };
  const body = { text: 'Habari {{name}}.' };
  const buttons = [{ type: 'QUICK_REPLY', text: 'Asante' }];
  expect(await stored()).toEqual({ header, body, buttons });
  await owner.send('/templates/chat-app/greeting/edit', {
    'components.header.format': '',
    'components.header.text': '',
    'components.footer.text': 'Reply STOP',
    'components.buttons.0.type': '',
    'components.buttons.0.text': '',
    'components.carousel.cards.0.header.format': 'IMAGE',
    'components.carousel.cards.0.buttons.0.type': 'QUICK_REPLY',
    'components.carousel.cards.0.buttons.0.text': 'Buy',
  });
  const card = { header: { format: 'IMAGE' }, buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }] };
  const footer = { text: 'Reply STOP' };
  expect(await stored()).toEqual({ body, footer, buttons: [], carousel: { cards: [card] } });
});

test.each([
  ['a part that is missing', { 'components.body.text': '' }, 'components.body.text', 'Body: required.'],
  [
    'a part of a row',
    { 'components.buttons.0.type': 'URL' },
    'components.buttons',
    'Buttons 1, URL: required.',
  ],
  [
    'a rule of the whole',
    { 'components.header.text': '{oops' },
    'components.header.text',
    'The header has braces that are no placeholder such as {{name}} or {{1}}.',
  ],
])('a fault stands at its field: %s', async (_, wrong, field, sentence) => {
  const { text } = await owner.send('/new/templates/chat-app', { ...written, id: 'wrong', ...wrong });
  expect(text).toContain(`<a href="#field-${field}">${sentence}</a>`);
  const preview = await owner.send('/new/templates/chat-app', { ...written, ...wrong, deed: 'preview' });
  expect(preview.status).toBe(200);
});

test('placeholders have a row each as the text has them, and rules follow', async () => {
  const content = 'Dear {{name}}, order {{order}} has shipped.';
  const sms = { id: 'shipment', teamId: 'acme', category: 'UTILITY', content };
  const { text } = await owner.send('/new/templates/sms', { ...sms, deed: 'preview' });
  expect(text).toContain('name="paramDefinitions.name.format"');
  expect(text).toContain('Dear name, order order has shipped.');
  await owner.send('/new/templates/sms', {
    ...sms,
    'paramDefinitions.order.format': 'Numeric',
    'paramDefinitions.order.maxLength': '8',
    'paramDefinitions.gone.format': 'Name',
  });
  const rule = { name: 'order', format: 'Numeric', maxLength: 8, required: true };
  expect((await api('GET /sms-templates/shipment')).body.paramDefinitions).toEqual([rule]);
  await owner.send('/templates/sms/shipment/edit', { content: 'Dear {{name}}, it has shipped.' });
  expect((await api('GET /sms-templates/shipment')).body.paramDefinitions).toEqual([]);
});

describe('a review', () => {
  test('shows what changed since the approval, and decides', async () => {
    await reviewer.send('/templates/sms/weekend/review', { decision: 'APPROVED' });
    await edit(api, '/sms-templates/weekend', { content: 'This weekend only: {{offer}}' });
    const { text } = await reviewer.open('/templates/sms/weekend/review');
    expect(text).toContain('<dt>Approved</dt><dd dir="auto">This <del>week</del> only: {{offer}}</dd>');
    expect(text).toContain('<dt>Waits</dt><dd dir="auto">This <ins>weekend</ins> only: {{offer}}</dd>');
    const approved = await reviewer.send('/templates/sms/weekend/review', {
      decision: 'APPROVED',
      comment: 'Good.',
    });
    expect(approved.location).toBe('/templates/sms/weekend?done=reviewSmsTemplate');
    expect((await api('GET /sms-templates/weekend')).body.approvalStatus).toBe('APPROVED');
  });

  test('rejects with a comment only', async () => {
    await edit(api, '/sms-templates/weekend', { content: 'Only now: {{offer}}' });
    const refused = await reviewer.send('/templates/sms/weekend/review', { decision: 'REJECTED' });
    expect(refused.text).toContain('Comment: say what the owner should change.');
    expect((await api('GET /sms-templates/weekend')).body.approvalStatus).toBe('PENDING');
  });

  test('of a text that was changed decides nothing, keeps the comment and shows both texts', async () => {
    const fields = await reviewer.fields('/templates/sms/weekend/review');
    await edit(api, '/sms-templates/weekend', { content: 'Only here: {{offer}}' });
    const stale = await reviewer.post('/templates/sms/weekend/review', {
      ...fields,
      decision: 'APPROVED',
      comment: 'As agreed.',
    });
    expect(stale.status).toBe(412);
    expect(stale.text).toContain('<dt>You read</dt><dd dir="auto">Only <del>now:</del> {{offer}}</dd>');
    expect(stale.text).toContain('<dt>Now stored</dt><dd dir="auto">Only <ins>here:</ins> {{offer}}</dd>');
    expect(stale.text).toContain('As agreed.</textarea>');
    const again = reviewer.fieldsIn(stale.text, '/templates/sms/weekend/review');
    const decided = await reviewer.post('/templates/sms/weekend/review', { ...again, decision: 'APPROVED' });
    expect(decided.status).toBe(303);
  });

  test('shows no more of what was read than a text may have', async () => {
    await edit(api, '/sms-templates/weekend', { content: 'Only where: {{offer}}' });
    const fields = await reviewer.fields('/templates/sms/weekend/review');
    await edit(api, '/sms-templates/weekend', { content: 'Only there: {{offer}}' });
    const decided = { ...fields, seen: 'many words '.repeat(20_000), decision: 'APPROVED' };
    const { status, text } = await reviewer.post('/templates/sms/weekend/review', decided);
    expect(status).toBe(412);
    expect(text.match(/many words/g)?.length).toBeLessThan(200);
  });
});
