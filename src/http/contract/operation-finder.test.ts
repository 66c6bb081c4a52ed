/** An operation is found by its path and method, where a path of fixed steps fits one with parameters too. */
import { expect, test } from '@jest/globals';
import { parseDocument } from './document.ts';
import { createOperationFinder } from './operation-finder.ts';

const response = `{responses: {'200': {description: Fine.}}}`;
const operation = (id: string) => response.replace('{', `{operationId: ${id}, `);
const operationOf = createOperationFinder(
  parseDocument(`
openapi: 3.1.0
info: {title: Receipts, version: '1'}
paths:
  /receipts/{receiptId}:
    get: ${operation('getReceipt')}
  /receipts/replay:
    post: ${operation('replayReceipts')}
  /receipts/{receiptId}/resend:
    post: ${operation('resendReceipt')}
  /receipts/latest:
    get: ${operation('getLatest')}
`),
);

test.each([
  ['GET', '/receipts/a', 'getReceipt'],
  ['POST', '/receipts/replay', 'replayReceipts'],
  ['GET', '/receipts/replay', 'getReceipt'],
  ['GET', '/receipts/latest', 'getLatest'],
  ['POST', '/receipts/a/resend', 'resendReceipt'],
  ['POST', '/receipts/a', undefined],
  ['GET', '/receipts', undefined],
  ['GET', '/receipts/', undefined],
])('%s %s: %s', (method, path, operationId) => {
  expect(operationOf(method, path)).toBe(operationId);
});
