/** disburseMobileData: bodies that break the schema, each with the sentence that says where and how. */
import { beforeAll, expect, test } from '@jest/globals';
import {
  bundleToEach,
  bundleToMany,
  type DataCaller,
  defaultService,
  sharedData,
} from '../../support/requests/disbursement.ts';
import { phones } from '../../support/requests/sms.ts';

let data: DataCaller;

beforeAll(async () => {
  data = await sharedData();
});

const phone = '0711000000';
const one = { phone, denomination: '1GB' };
const withMessage = { ...one, message: 'Enjoy' };
const denominations =
  '10MB, 20MB, 25MB, 30MB, 50MB, 100MB, 150MB, 200MB, 250MB, 500MB, 750MB, 1GB, 2GB, 3GB, 5GB, 10GB';

test.each<[string, unknown, string]>([
  ['no type', { phones: [phone], denomination: '1GB' }, '/type is required'],
  ['an unknown type', { type: 'SendToAll' }, '/type must be one of SendToEach, SendToMany'],
  ['null', null, 'The request body must be an object'],
  ['an array', [], 'The request body must be an object'],
  ['disbursements missing', { type: 'SendToEach' }, '/disbursements is required'],
  ['phones missing', { type: 'SendToMany', denomination: '1GB' }, '/phones is required'],
  ['denomination missing', { type: 'SendToMany', phones: [phone] }, '/denomination is required'],
  [
    'denomination of an entry missing',
    bundleToEach([one, { phone }]),
    '/disbursements/1/denomination is required',
  ],
  ['an unknown denomination', bundleToMany([phone], '4GB'), `/denomination must be one of ${denominations}`],
  [
    'an unknown denomination of an entry',
    bundleToEach([{ phone, denomination: '1gb' }]),
    `/disbursements/0/denomination must be one of ${denominations}`,
  ],
  ['a phone of the wrong type', bundleToMany([711000000]), '/phones/0 must be a string'],
  ['an unknown property', bundleToMany([phone], '1GB', { extra: 1 }), '/extra is not allowed'],
  ['an unknown property of SendToEach', bundleToEach([one], { phones: [] }), '/phones is not allowed'],
  [
    'an unknown property of an entry',
    bundleToEach([{ ...one, units: 1 }]),
    '/disbursements/0/units is not allowed',
  ],
  [
    'a message of its own in SendToMany',
    bundleToMany([phone], '1GB', { message: 'Enjoy' }),
    '/message is not allowed',
  ],
  [
    'an unknown property of receiptRequest',
    bundleToMany([phone], '1GB', {
      receiptRequest: { correlator: 'c', callbackUrl: 'https://a.example', extra: 1 },
    }),
    '/receiptRequest/extra is not allowed',
  ],
  [
    'correlator missing',
    bundleToMany([phone], '1GB', { receiptRequest: { callbackUrl: 'https://a.example' } }),
    '/receiptRequest/correlator is required',
  ],
  [
    'callbackUrl missing',
    bundleToMany([phone], '1GB', { receiptRequest: { correlator: 'c' } }),
    '/receiptRequest/callbackUrl is required',
  ],
  [
    'messaging without a message',
    bundleToMany([phone], '1GB', { messaging: defaultService }),
    '/messaging/message is required',
  ],
  [
    'a shared message in SendToEach',
    bundleToEach([one], { messaging: { ...defaultService, message: 'x' } }),
    '/messaging/message is not allowed',
  ],
  [
    'an unknown selection',
    bundleToEach([withMessage], { messaging: { serviceSelection: { type: 'Any' } } }),
    '/messaging/serviceSelection/type must be one of DefaultService, SelfService',
  ],
  [
    'a selection without type',
    bundleToEach([withMessage], { messaging: { serviceSelection: {} } }),
    '/messaging/serviceSelection/type is required',
  ],
  [
    'SelfService without its id',
    bundleToEach([withMessage], { messaging: { serviceSelection: { type: 'SelfService' } } }),
    '/messaging/serviceSelection/serviceId is required',
  ],
  [
    'DefaultService with an id',
    bundleToEach([withMessage], {
      messaging: { serviceSelection: { type: 'DefaultService', serviceId: 'x' } },
    }),
    '/messaging/serviceSelection/serviceId is not allowed',
  ],
  ['phones empty', bundleToMany([]), 'No valid recipients found.'],
  ['disbursements empty', bundleToEach([]), 'No valid messages found.'],
  ['101 phones', bundleToMany(phones(101)), 'Maximum number of recipients exceeded.'],
  [
    '101 disbursements',
    bundleToEach(phones(101).map((to) => ({ ...one, phone: to }))),
    'Maximum number of recipients exceeded.',
  ],
  [
    'a huge array of no phones',
    bundleToMany(Array(50_000).fill('x')),
    'Maximum number of recipients exceeded.',
  ],
  [
    'an empty message',
    bundleToEach([{ ...one, message: '' }], { messaging: defaultService }),
    'No valid messages found: /disbursements/0/message must not be empty',
  ],
  [
    'a message of white space',
    bundleToMany([phone], '1GB', { messaging: { ...defaultService, message: ' \n' } }),
    'No valid messages found: /messaging/message must not be empty',
  ],
  [
    '961 characters',
    bundleToMany([phone], '1GB', { messaging: { ...defaultService, message: '😀'.repeat(961) } }),
    '/messaging/message must have at most 960 characters',
  ],
])('400 %s', async (_rule, body, desc) => {
  const answer = await data.disburse(body);
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
});
