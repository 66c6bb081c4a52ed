/** sendSms: bodies without the shape of the contract, and texts that cannot be sent, by their sentences. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  phones,
  type SmsCaller,
  sharedSms,
  templateToEach,
  templateToMany,
  toEach,
  toMany,
} from '../../support/requests/sms.ts';

let sms: SmsCaller;

beforeAll(async () => {
  sms = await sharedSms();
});

const phone = '0711000000';

async function expectRefusal(body: unknown, desc: string) {
  const answer = await sms.send(body);
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
}

describe('400 No valid messages found: <pointer> must not be empty', () => {
  const empty = (pointer: string) => `No valid messages found: ${pointer} must not be empty`;
  test.each<[string, unknown, string]>([
    ['SendToMany, empty', toMany([phone], ''), '/message'],
    ['SendToMany, white space', toMany([phone], ' \n\t\u3000'), '/message'],
    [
      'SendToEach, empty',
      toEach([
        { phone, message: 'x' },
        { phone, message: '' },
      ]),
      '/messages/1/message',
    ],
    ['SendToEach, white space', toEach([{ phone, message: ' \n\t ' }]), '/messages/0/message'],
    ['SendToEach, the text under its other name', toEach([{ phone, text: ' ' }]), '/messages/0/text'],
    ['SendToEach, under both names', toEach([{ phone, message: '', text: '' }]), '/messages/0/message'],
  ])('%s', async (_rule, body, pointer) => {
    await expectRefusal(body, empty(pointer));
  });

  test('before phones', async () => {
    await expectRefusal(toMany(['bad'], ' '), empty('/message'));
  });
});

describe('400 <pointer>/message and <pointer>/text differ', () => {
  test.each<[string, object]>([
    ['two texts', { message: 'one', text: 'two' }],
    ['a text and an empty one', { message: '', text: 'two' }],
    ['a text and something else', { message: 'one', text: null }],
  ])('%s', async (_rule, texts) => {
    await expectRefusal(
      toEach([
        { phone, message: 'x' },
        { phone: 'bad', ...texts },
      ]),
      '/messages/1/message and /messages/1/text differ',
    );
  });
});

describe('400 of the shape', () => {
  test.each<[string, unknown, string]>([
    ['addresses empty', toMany([]), 'No valid recipients found.'],
    ['messages empty', toEach([]), 'No valid messages found.'],
    ['template messages empty', templateToEach('t', []), 'No valid messages found.'],
    ['template addresses empty', templateToMany('t', [], []), 'No valid recipients found.'],
    ['101 addresses', toMany(phones(101)), 'Maximum number of recipients exceeded.'],
    [
      '101 messages',
      toEach(phones(101).map((p) => ({ phone: p, message: 'x' }))),
      'Maximum number of recipients exceeded.',
    ],
    ['11 template addresses', templateToMany('t', phones(11), []), 'Maximum number of recipients exceeded.'],
    [
      '11 template messages',
      templateToEach(
        't',
        phones(11).map((p) => ({ phone: p, params: [] })),
      ),
      'Maximum number of recipients exceeded.',
    ],
    ['a huge array of no phones', toMany(Array(50_000).fill('x')), 'Maximum number of recipients exceeded.'],
    ['961 characters', toMany([phone], 'a'.repeat(961)), '/message must have at most 960 characters'],
    ['961 emoji', toMany([phone], '😀'.repeat(961)), '/message must have at most 960 characters'],
    [
      '961 characters under the other name',
      toEach([{ phone, text: 'a'.repeat(961) }]),
      '/messages/0/text must have at most 960 characters',
    ],
    ['a text that is not a string', toEach([{ phone, text: 5 }]), '/messages/0/text must be a string'],
    [
      'a templateId of 256 characters',
      templateToMany('t'.repeat(256), [phone], []),
      '/templateId must have at most 255 characters',
    ],
    ['no type', { addresses: [phone], message: 'x' }, '/type is required'],
    [
      'an unknown type',
      { type: 'SendToAll' },
      '/type must be one of SendToEach, SendToMany, TemplateSendToEach, TemplateSendToMany',
    ],
    ['null', null, 'The request body must be an object'],
    ['an array', [], 'The request body must be an object'],
    ['a number', 42, 'The request body must be an object'],
    ['a missing field', { type: 'SendToMany', addresses: [phone] }, '/message is required'],
    ['a missing field of an item', toEach([{ phone }]), '/messages/0/message is required'],
    ['an item of the wrong type', toMany([phone, 7]), '/addresses/1 must be a string'],
    [
      'a misspelt property in a free-form mode',
      toMany(['0711000000'], 'x', { receiptRequst: {} }),
      '/receiptRequst is not allowed: did you mean receiptRequest?',
    ],
    [
      'a misspelt property in place of the one that is missing',
      { type: 'SendToMany', adresses: ['0711000000'], message: 'x' },
      '/adresses is not allowed: did you mean addresses?',
    ],
    [
      'an unknown property in a template mode',
      templateToMany('t', [phone], [], { extra: 1 }),
      '/extra is not allowed',
    ],
    [
      'an unknown property of a template message',
      templateToEach('t', [{ phone, params: [], extra: 1 }]),
      '/messages/0/extra is not allowed',
    ],
    [
      'an unknown property of a parameter',
      templateToMany('t', [phone], [{ name: 'a', value: 'b', c: 1 }]),
      '/params/0/c is not allowed',
    ],
    [
      'an unknown property of receiptRequest',
      toMany([phone], 'x', { receiptRequest: { url: 'y' } }),
      '/receiptRequest/url is not allowed',
    ],
  ])('%s', async (_rule, body, desc) => {
    await expectRefusal(body, desc);
  });
});
