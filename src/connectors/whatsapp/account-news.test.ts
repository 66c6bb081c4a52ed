/** What the Cloud API's webhook says of the account, its numbers and the quality of its templates. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppInbound } from './webhook.ts';
import { whatsAppKind } from './whatsapp.ts';

const settings = checkSettings(whatsAppKind, {});
function read(field: string, value: object) {
  const document = { entry: [{ changes: [{ field, value }] }] };
  const { notices, pause } = whatsAppInbound.read(Buffer.from(JSON.stringify(document)), settings);
  return { notices, pause };
}
const ban = (waba_ban_state: unknown) => ({
  event: 'DISABLED_UPDATE',
  ban_info: { waba_ban_state, waba_ban_date: 'March 1, 2026' },
});

test.each([['DISABLE'], [['DISABLE']]])('a ban pauses the connector, with its reason: %j', (state) => {
  const pause = 'Meta disabled the account on March 1, 2026';
  expect(read('account_update', ban(state))).toEqual({ notices: [], pause });
});

const template = { message_template_name: 'offer', message_template_language: 'en' };
const of = (event: string) => ({ display_phone_number: '254200', event });
testEvery<[string, object, object?]>([
  [
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['SCHEDULE_FOR_DISABLE'] } },
    { about: 'ban', says: 'Meta will disable the account' },
  ],
  ['account_update', ban(['REINSTATE']), { about: 'ban', says: undefined }],
  [
    'account_update',
    { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
    { about: 'violation', says: 'The account violated a policy: ADULT' },
  ],
  [
    'account_update',
    {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'X', expiration: 1_772_366_400 }],
    },
    {
      ...{ about: 'restriction X', says: 'The account is restricted until 2026-03-01T12:00:00.000Z: X' },
      until: new Date('2026-03-01T12:00:00Z'),
    },
  ],
  ['account_update', { event: 'VERIFIED_ACCOUNT' }],
  ['account_update', {}],
  [
    'phone_number_quality_update',
    of('FLAGGED'),
    { about: 'number 254200', says: 'The quality of 254200 is low' },
  ],
  ['phone_number_quality_update', of('UNFLAGGED'), { about: 'number 254200', says: undefined }],
  ['phone_number_quality_update', of('UPGRADE')],
  [
    'message_template_quality_update',
    { ...template, new_quality_score: 'RED' },
    { about: 'template offer en', says: 'The quality of the template offer (en) is low' },
  ],
  [
    'message_template_quality_update',
    { ...template, new_quality_score: 'GREEN' },
    { about: 'template offer en', says: undefined },
  ],
])('%s %j', (field, value, notice) => {
  const notices = notice === undefined ? [] : [notice];
  expect(read(field, value)).toEqual({ notices, pause: undefined });
});
