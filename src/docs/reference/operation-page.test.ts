/** The page of each operation: a sample that calls it, in every language, and the schemas and errors of its call. */
import { expect, test } from '@jest/globals';
import { loadDocument } from '../../contract/document.ts';
import { operationsOf } from '../../contract/operations.ts';
import { createOperationFinder } from '../../contract/routes.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { errorEntries } from '../errors/error-pages.ts';
import { readCall } from '../samples/call.ts';
import { operationPage } from './operation-page.ts';
import { sampleCall } from './sample-call.ts';

const document = loadDocument().published;
const reference = { document, prefix: '', suffix: '', errors: errorEntries(document), guides: {} };
const operations = operationsOf(document);
const find = createOperationFinder(document);
const pageOf = (id: string) => {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`no operation is called ${id}`);
  return operationPage(reference, operation);
};

testEvery(operations)(
  'the sample of $operationId calls it, and can be shown in every language',
  (operation) => {
    const call = readCall(sampleCall(reference, operation).replace('$TARISHI_URL', 'http://here'));
    expect(call?.method).toBe(operation.method.toUpperCase());
    expect(call?.withToken).toBe(operation.operationId !== 'issueToken');
    const called = find(call?.method ?? '', new URL(call?.url ?? '').pathname);
    expect(called?.operationId).toBe(operation.operationId);
  },
);

test('a page has the schemas of its body and its response, and no others', () => {
  const page = pageOf('sendSms');
  for (const name of ['SmsSendToMany', 'ReceiptRequest', 'SentSms']) expect(page).toContain(`### ${name}\n`);
  expect(page).not.toContain('### SentChatAppTemplate\n');
});

test('a page links the errors that its operation returns, and no others', () => {
  const page = pageOf('sendSms');
  expect(page).toContain('[invalid-phones](../errors/invalid-phones.md)');
  expect(page).not.toContain('invalid-denomination');
});
