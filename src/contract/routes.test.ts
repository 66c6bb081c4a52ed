/** An operation is found by its path and method; a path of fixed steps comes before one with parameters. */
import { expect } from '@jest/globals';
import { load } from 'js-yaml';
import { testEvery } from '../platform/for-every-testing.ts';
import { createOperationFinder } from './routes.ts';

const response = `responses: {'200': {description: Fine.}}`;
const fixed = (id: string) => `{operationId: ${id}, ${response}}`;
const withId = (id: string) =>
  `{operationId: ${id}, parameters: [{$ref: '#/components/parameters/receiptId'}], ${response}}`;
const operationOf = createOperationFinder(
  load(`
openapi: 3.1.0
info: {title: Receipts, version: '1'}
paths:
  /receipts/{receiptId}:
    get: ${withId('getReceipt')}
  /receipts/replay:
    post: ${fixed('replayReceipts')}
  /receipts/{receiptId}/resend:
    post: ${withId('resendReceipt')}
  /receipts/latest:
    get: ${fixed('getLatest')}
components:
  parameters:
    receiptId: {name: receiptId, in: path, schema: {$ref: '#/components/schemas/Id'}}
  schemas:
    Id: {type: string, pattern: '^[a-z]+$'}
`) as never,
);

testEvery([
  ['GET', '/receipts/a', 'getReceipt'],
  ['POST', '/receipts/replay', 'replayReceipts'],
  ['GET', '/receipts/replay', undefined],
  ['GET', '/receipts/latest', 'getLatest'],
  ['POST', '/receipts/a/resend', 'resendReceipt'],
  ['POST', '/receipts/a', undefined],
  ['GET', '/receipts', undefined],
  ['GET', '/receipts/', undefined],
  ['GET', '/receipts/a1', undefined],
])('%s %s: %s', (method, path, operationId) => {
  expect(operationOf(method, path)?.operationId).toBe(operationId);
});
