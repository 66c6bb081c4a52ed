/** Which response and which receipts the header Prefer asks for. */
import { expect, test } from '@jest/globals';
import { loadDocument } from '../http/contract/document.ts';
import { examplesOf, preferHeaderOf, readPreference } from './prefer.ts';

const examples = new Map([
  ['200', ['accepted']],
  ['400', ['invalidPhones', 'noChannel']],
]);
const read = (header?: string) => readPreference(header, 'sendSms', examples);

test.each([
  [undefined, undefined],
  ['respond-async, wait=5', undefined],
  ['receipt=Failed', undefined],
  ['code=400', { code: '400', example: undefined, dynamic: false }],
  ['code=400; example="noChannel"', { code: '400', example: 'noChannel', dynamic: false }],
  ['example=noChannel', { code: '400', example: 'noChannel', dynamic: false }],
  ['dynamic=true', { code: undefined, example: undefined, dynamic: true }],
])('%s requests the response %j', (header, response) => {
  expect(read(header).response).toEqual(response);
});

test('a receipt is one of the states of the operation', () => {
  expect(read('receipt=AbsentSubscriber, code=200').receipt).toBe('AbsentSubscriber');
  expect(() => read('receipt=Read')).toThrow('Prefer: sendSms has no receipt with the state Read.');
  expect(() => readPreference('receipt=Failed', 'listBalances', examples)).toThrow('It has none.');
});

test('unknown values are named, with those of the document', () => {
  expect(() => read('code=418')).toThrow(
    'Prefer: sendSms has no response with the status 418. It has 200, 400.',
  );
  expect(() => read('code=400, example=invalidPhone')).toThrow(
    'Prefer: the response 400 of sendSms has no example invalidPhone. It has invalidPhones, noChannel.',
  );
});

test('Prism gets its own preferences only', () => {
  expect(preferHeaderOf({ code: '400', example: 'noChannel', dynamic: true })).toBe(
    'code=400, example=noChannel, dynamic=true',
  );
});

test('the examples of the document are found, also behind references', () => {
  expect(examplesOf(loadDocument()).get('sendSms')?.get('400')).toContain('insufficientUnits');
});
