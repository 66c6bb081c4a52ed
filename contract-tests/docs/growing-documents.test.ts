/** The documents let responses and receipts grow: what a later version of 1.x adds is valid by them. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type DocumentedOperation, examplesOf, type Media } from '../../spec/document.ts';
import { type DocumentName, loadDocument } from '../../src/contract/document.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import { dereferenced } from '../../src/contract/references.ts';
import type { Tree } from '../../src/contract/types.ts';
import { closed } from '../../src/http/contract/closed.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

interface Document {
  published: Tree;
  /** Everything that clients read, with the examples that show it. */
  read: { name: string; media: Media }[];
  /** The known values of every extensible enum. */
  extensible: ReadonlySet<string>;
}

function documentNamed(name: DocumentName): Document {
  const { published } = loadDocument(name);
  const operations = dereferenced(published, operationsOf(published));
  const extensible = new Set<string>();
  JSON.stringify(published, (_key, value) => {
    if (Array.isArray(value?.anyOf) && value.anyOf.length === 2)
      for (const known of value.anyOf[0]?.enum ?? []) extensible.add(known);
    return value;
  });
  return { published, read: operations.flatMap(readOf), extensible };
}

function readOf({ operationId, responses, callbacks = {} }: DocumentedOperation): Document['read'] {
  const receipts = Object.values(callbacks).flatMap((callback) =>
    Object.values(callback).flatMap(({ post }) => (post === undefined ? [] : [post])),
  );
  return [
    ...Object.entries(responses).map(([status, { content }]) => ({
      name: `${operationId} ${status}`,
      content,
    })),
    ...receipts.map((post) => ({ name: post.operationId, content: post.requestBody.content })),
  ].flatMap(({ name, content = {} }) =>
    Object.entries(content).flatMap(([type, media]) => (type.endsWith('json') ? [{ name, media }] : [])),
  );
}

/** What would keep a later version from adding to an answer: closed objects, and lists of values without others. */
function closedPlaces(schema: unknown, path = ''): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { anyOf, additionalProperties, propertyNames, enum: values } = schema as Record<string, unknown>;
  const extensible = Array.isArray(anyOf) && anyOf.some((one) => one.type === 'string' && !('enum' in one));
  const inner = Object.entries(schema).filter(([keyword]) => !(extensible && keyword === 'anyOf'));
  const isClosed = additionalProperties === false || propertyNames !== undefined || values !== undefined;
  return [
    ...(isClosed ? [path] : []),
    ...inner.flatMap(([keyword, one]) => closedPlaces(one, `${path}/${keyword}`)),
  ];
}

/** Bounds of nature or of another standard: degrees, statuses of HTTP, and what PostgreSQL's smallint holds. */
const cannotGrow = /\/(latitude|longitude|status|sequence)$/;

/** Numbers and lists whose bounds are those of today's requests: a client that enforces them ends at a larger limit. */
function tightPlaces(schema: unknown, path = ''): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { maximum = Infinity, maxItems = Infinity } = schema as { maximum?: number; maxItems?: number };
  const isTight = (maximum < 100_000 && !cannotGrow.test(path)) || maxItems < 1_000;
  const inner = Object.entries(schema).filter(([keyword]) => keyword !== 'examples');
  return [
    ...(isTight ? [path] : []),
    ...inner.flatMap(([keyword, one]) => tightPlaces(one, `${path}/${keyword}`)),
  ];
}

/** As a later version might say it: more properties in every object, and new values. */
function grown(document: Document, value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => grown(document, item));
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, inner]) => [name, grown(document, inner, name)]);
    return Object.fromEntries(
      isMap(value) || key === 'headers' ? entries : [...entries, ['addedLater', { any: ['thing'] }]],
    );
  }
  const { extensible, published } = document;
  const denominations: string[] = published.components.schemas.Denomination?.enum ?? [];
  const known =
    extensible.has(String(value)) || (key === 'denomination' && denominations.includes(String(value)));
  return known && key !== 'type' ? 'AddedLater' : value;
}

/** Keyed by channels, bundles, categories or phones: one more key is no new property. */
function isMap(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length === 0 || keys.every((key) => !/^[a-z]/.test(key) || key === 'errors');
}

const accepts = ({ schema }: Media, value: unknown) => [ajv.validate(schema, value), ajv.errors];

/** Repeat what the same client has sent. */
const echoes = ['listNumbers 200', 'listFaults 200'];

const documents = (['openapi', 'management', 'sandbox'] as const).map(documentNamed);

describe.each(documents)('spec: $published.info.title', (document) => {
  const answers = document.read.filter(({ name }) => !echoes.includes(name));

  test('nothing that clients read is closed', () =>
    forEvery(answers, '$name', ({ media }) => expect(closedPlaces(media.schema)).toEqual([])));

  test('nothing that clients read is bounded by the limits of today', () =>
    forEvery(answers, '$name', ({ media }) => expect(tightPlaces(media.schema)).toEqual([])));

  test('every example may have more properties and new values', () =>
    forEvery(
      answers.flatMap(({ name, media }) =>
        [...examplesOf(media)].map(([example, value]) => ({ title: `${name} ${example}`, media, value })),
      ),
      '$title',
      ({ media, value }) => {
        const later = grown(document, value);
        expect(accepts(media, later)).toEqual([true, null]);
        expect(ajv.validate(closed(media.schema), later)).toBe(false);
      },
    ));
});

test('every state of a receipt may become another', () => {
  const [document] = documents as [Document];
  const receipts = document.read.filter(({ name }) => name.startsWith('receive'));
  expect(receipts).toHaveLength(5);
  for (const { media } of receipts)
    for (const example of examplesOf(media).values())
      expect(grown(document, example)).toMatchObject({ deliveryStatus: 'AddedLater' });
});
