/** Turns the webhooks of the OpenAPI document into an AsyncAPI 3 document. */

type Schema = { $ref?: string; [key: string]: unknown };

interface Parameter {
  name: string;
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Webhook {
  post: {
    summary: string;
    description: string;
    parameters: (Parameter | { $ref: string })[];
    requestBody: {
      content: { 'application/json': { schema: { $ref: string }; examples: Record<string, Example> } };
    };
  };
}

interface Example {
  summary: string;
  value: unknown;
}

/** As much of the document as is read here. */
interface Published {
  info: { version: string; license: { name: string } };
  webhooks: Record<string, Webhook>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

/** `published` is the public document without its extensions. */
export function asyncApiOf(published: object): object {
  const { info, webhooks, components } = published as Published;
  const receipts = Object.entries(webhooks).map(([name, { post }]) => ({ name, post }));
  const payloads = receipts.map(({ post }) => post.requestBody.content['application/json'].schema);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tarishi receipts',
      version: info.version,
      description:
        'The delivery receipts that Tarishi posts to the `callbackUrl` of a request, and what people send to you, signed ' +
        'under the Standard Webhooks scheme. This document is written from the webhooks of the OpenAPI document.',
      license: { name: info.license.name },
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
      receipts.map(({ name, post }) => [
        `post${capitalized(name)}`,
        {
          action: 'send',
          channel: { $ref: '#/channels/receipts' },
          summary: post.summary,
          description: post.description,
          bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
          messages: [{ $ref: `#/channels/receipts/messages/${name}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        receipts.map(({ name, post }) => [name, messageOf(name, post, components)]),
      ),
      schemas: schemasFor(payloads, components.schemas),
    },
  };
}

function messageOf(name: string, post: Webhook['post'], { parameters }: Published['components']): object {
  const { schema, examples } = post.requestBody.content['application/json'];
  const headers = post.parameters.map((one) => ('$ref' in one ? parameters[nameOf(one.$ref)] : one));
  const known = headers.filter((one) => one !== undefined);
  return {
    name,
    title: capitalized(name),
    summary: post.summary,
    headers: {
      type: 'object',
      required: known.filter(({ required }) => required).map((header) => header.name),
      properties: Object.fromEntries(
        known.map(({ name: header, description, schema: own, example }) => [
          header,
          { ...own, description, ...(example === undefined ? {} : { examples: [example] }) },
        ]),
      ),
    },
    payload: schema,
    examples: Object.entries(examples).map(([example, { summary, value }]) => ({
      name: example,
      summary,
      headers: Object.fromEntries(known.map((header) => [header.name, header.example])),
      payload: value,
    })),
  };
}

/** The named schemas that these refer to, directly or through others. */
function schemasFor(
  roots: readonly unknown[],
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const follow = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { $ref } = node as Schema;
    const name = typeof $ref === 'string' ? nameOf($ref) : undefined;
    const schema = name === undefined ? undefined : schemas[name];
    if (name !== undefined && schema !== undefined && found[name] === undefined) {
      found[name] = schema;
      follow(schema);
    }
    for (const inner of Object.values(node)) follow(inner);
  };
  roots.forEach(follow);
  return found;
}

const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';
const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
