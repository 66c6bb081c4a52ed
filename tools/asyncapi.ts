/** Turns the webhooks of the OpenAPI document into an AsyncAPI 3 document. */
import { mediaOf, type Webhook, webhooksOf } from '../src/contract/operations.ts';
import { schemasBehind } from '../src/contract/references.ts';
import type { Tree } from '../src/contract/types.ts';

/** `published` is the public document without its extensions. */
export function asyncApiOf(published: Tree): object {
  const { info } = published;
  const receipts = webhooksOf(published);
  const payloads = receipts.map(({ requestBody }) => mediaOf(requestBody)?.schema);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tarishi receipts',
      version: info.version,
      description:
        'The delivery receipts that Tarishi posts to the `callbackUrl` of a request, and what people send to you, signed ' +
        'under the Standard Webhooks scheme. This document is written from the webhooks of the OpenAPI document.',
      contact: info.contact,
      license: { name: info.license?.name },
      tags: [
        {
          name: 'Receipts',
          description: 'What happened to your messages and bundles, and what people send to you.',
        },
      ],
    },
    defaultContentType: 'application/json',
    channels: {
      receipts: {
        address: null,
        title: 'Your endpoint',
        description:
          'The `callbackUrl` in the `receiptRequest` of a request, and that of a service for inbound messages; a POST ' +
          'for each receipt and message.',
        messages: Object.fromEntries(
          receipts.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: Object.fromEntries(
      receipts.map(({ name, summary, description }) => [
        `post${capitalized(name)}`,
        {
          action: 'send',
          channel: { $ref: '#/channels/receipts' },
          summary,
          description,
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
          messages: [{ $ref: `#/channels/receipts/messages/${name}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(receipts.map((receipt) => [receipt.name, messageOf(receipt)])),
      schemas: Object.fromEntries(schemasBehind(published, payloads)),
    },
  };
}

function messageOf({ name, summary, parameters, requestBody }: Webhook): object {
  const { schema, examples = {} } = mediaOf(requestBody) ?? {};
  return {
    name,
    title: capitalized(name),
    summary,
    headers: {
      type: 'object',
      required: parameters.filter(({ required }) => required).map((header) => header.name),
      properties: Object.fromEntries(
        parameters.map(({ name: header, description, schema: own, example }) => [
          header,
          { ...own, description, ...(example === undefined ? {} : { examples: [example] }) },
        ]),
      ),
    },
    payload: schema,
    examples: Object.entries(examples).map(([example, { summary: about, value }]) => ({
      name: example,
      summary: about,
      headers: Object.fromEntries(parameters.map((header) => [header.name, header.example])),
      payload: value,
    })),
  };
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
