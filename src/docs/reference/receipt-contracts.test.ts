/** The contract of the receipts says the same as callbacks, as webhooks, and as an AsyncAPI document. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { loadDocument } from '../../contract/document.ts';

type Tree = ReturnType<typeof JSON.parse>;

const { published } = loadDocument() as { published: Tree };
const written = load(
  readFileSync(new URL('../../../generated/asyncapi.yaml', import.meta.url), 'utf8'),
) as Tree;

/** Callbacks by the schema of their receipts; an SMS that accompanies a bundle, or was in reserve, has the receipt of an SMS. */
const callbacks = new Map<string, Tree>();
for (const path of Object.values<Tree>(published.paths))
  for (const [name, callback] of Object.entries<Tree>(path.post?.callbacks ?? {}))
    if (!/^(companion|fallback)Sms/.test(name))
      callbacks.set(name, callback['{$request.body#/receiptRequest/callbackUrl}'].post);

/** No request asks for it. */
const inbound = 'inboundMessage';

test('each callback is also a webhook, with an id of its own', () => {
  expect(Object.keys(published.webhooks)).toEqual([...callbacks.keys(), inbound]);
  for (const [name, { post }] of Object.entries<Tree>(published.webhooks)) {
    if (name === inbound) continue;
    const { operationId, ...callback } = callbacks.get(name);
    expect(post).toEqual({ ...callback, operationId: operationId.replace('receive', 'on') });
  }
});

test('the AsyncAPI document has each receipt with its headers, its schema and its examples', () => {
  expect(Object.keys(written.components.messages)).toEqual([...callbacks.keys(), inbound]);
  const { headers, payload, examples } = written.components.messages.smsDeliveryReceipt;
  expect(headers.required).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  expect(payload).toEqual({ $ref: '#/components/schemas/SmsDeliveryReceipt' });
  expect(examples.map(({ name }: { name: string }) => name)).toEqual(['delivered', 'rejected']);
  for (const name of ['SmsDeliveryReceipt', 'SmsDeliveryStatus', 'UnknownValue', 'Denomination'])
    expect(written.components.schemas[name]).toEqual(published.components.schemas[name]);
});
