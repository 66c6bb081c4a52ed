/** The methods that every client has, as the words of the document (`x-client`) name them: what its template writes down. */
import { mediaOf } from '../src/contract/operations.ts';
import { type DocumentedOperation, operations, resolved, type Schema, themeOf } from './document.ts';

export interface Argument {
  /** In camel case. */
  name: string;
  /** In the request. */
  wire: string;
  /** A word of `x-client`, or the schema of the document. */
  type: string | Schema;
  description: string;
  isRequired: boolean;
}

export interface Method {
  operationId: string;
  /** What the document says of its operations together. */
  theme: string;
  /** The property of the client that has it, and its class. */
  group: string;
  title: string;
  name: string;
  http: string;
  path: string;
  /** `keyed`: yes, with the same Idempotency-Key; `harmless`: yes, a second call changes nothing; `unsafe`: no; `file`: yes, and the response is one. */
  retry: 'keyed' | 'harmless' | 'unsafe' | 'file';
  /** In paragraphs, and what goes wrong, such as `404: There is no such request.` */
  doc: readonly string[];
  errors: readonly string[];
  id: Argument | undefined;
  query: readonly Argument[];
  /** Each property of the body. */
  body: readonly Argument[] | undefined;
  bodySchema: Schema | undefined;
  /** What the body is composed of, by hand. */
  composed: readonly Argument[] | undefined;
  answer: Schema;
  /** The property of the response that the method returns. */
  part: string | undefined;
  /** What a page of the list holds, and the name of the method that reads all pages. */
  item: Schema | undefined;
  each: string;
}

export interface Group {
  name: string;
  /** Its class. */
  title: string;
  doc: string;
  methods: readonly Method[];
}

export const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;

const titles: Record<string, string> = { chatapp: 'ChatApp' };

/** These go wrong with every operation; the READMEs explain them. */
const common: ReadonlySet<string> = new Set(['401', '403', '429', '500', '503']);

/** Parts of a body that all modes of a send have. */
const parts = ['receiptRequest', 'schedule', 'timeZone'];

function methodOf(operation: DocumentedOperation): Method {
  const { operationId, parameters, responses, 'x-client': words } = operation;
  const body = mediaOf(operation.requestBody)?.schema;
  const answer = mediaOf(responses['200'])?.schema ?? {};
  if (words === undefined) throw new Error(`${operationId} needs words for the clients, in x-client`);
  const [group = '', name = ''] = words.method.split('.');
  const isKeyed = parameters.some((one) => one.name === 'Idempotency-Key');
  const isHarmless = operation.method === 'get' || words.isHarmless === true;
  const retryOf = () => {
    if (isKeyed) return 'keyed';
    if (mediaOf(responses['200'])?.type === '*/*') return 'file';
    return isHarmless ? 'harmless' : 'unsafe';
  };
  const given = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map((one) => ({
        name: one['x-client'] ?? one.name,
        wire: one.name,
        type: one.schema,
        // Clients encode what they send.
        description: sentence((one.description ?? '').replace(' Encode a plus sign as `%2B`.', '')),
        isRequired: one.required === true,
      }));
  const composed =
    words.arguments ??
    operations.find((one) => one.operationId === words.argumentsOf)?.['x-client']?.arguments;
  return {
    operationId,
    theme: themeOf(operation.tags[0]),
    group,
    title: titles[group] ?? capital(group),
    name,
    http: operation.method.toUpperCase(),
    path: operation.path,
    retry: retryOf(),
    doc: words.description === undefined ? documented(operation) : [words.description],
    errors: Object.entries(responses)
      .filter(([status]) => status !== '200' && !common.has(status))
      .map(([status, { description }]) => `${status}: ${sentence(description)}`),
    id: given('path')[0],
    query: given('query'),
    body: body && composed === undefined ? propertiesOf(body) : undefined,
    bodySchema: body,
    composed: composed && [
      ...Object.entries(composed).map(([argument, { isRequired = false, ...one }]) => ({
        name: argument,
        wire: argument,
        isRequired,
        ...one,
      })),
      ...sharedParts(body ?? {}),
    ],
    answer,
    part: words.returns,
    item: parameters.some((one) => one.name === 'cursor')
      ? resolved(answer).properties?.items?.items
      : undefined,
    each: name.replace(/^list/, 'each').replace(/s$/, ''),
  };
}

/** The summary, then what else there is to know. What the limits are is no part of a method. */
function documented({ summary, description = '' }: DocumentedOperation): string[] {
  const paragraphs = description.split(/\n\n+/).map(sentence);
  return [`${summary}.`, ...paragraphs.filter((one) => one !== '' && !one.startsWith('Rate limit:'))];
}

const sentence = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

function propertiesOf(body: Schema): Argument[] {
  const { properties = {}, required = [] } = resolved(body);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    wire: name,
    type: schema,
    description: sentence(schema.description ?? resolved(schema).description ?? ''),
    isRequired: required.includes(name),
  }));
}

/** As arguments of their own: when a message is sent, and where its receipts go. */
function sharedParts(body: Schema): Argument[] {
  const [mode = {}] = resolved(body).oneOf ?? [];
  const { properties = {} } = resolved(mode);
  const found = parts.map((name) => ({ name, schema: properties[name] ?? {} }));
  return found.flatMap(({ name, schema }) => {
    const { properties: fields, description = '' } = resolved(schema);
    if (fields !== undefined) return propertiesOf(schema).map((one) => ({ ...one, isRequired: false }));
    if (properties[name] === undefined) return [];
    return [{ name, wire: name, type: schema, description: sentence(description), isRequired: false }];
  });
}

export const methods: readonly Method[] = operations.map(methodOf);

export const groups: readonly Group[] = [...new Set(methods.map(({ group }) => group))].map((name) => {
  const own = methods.filter(({ group }) => group === name);
  const [first] = own;
  const list = own.find((one) => one.name === 'list');
  return {
    name,
    title: first?.title ?? '',
    doc: list?.doc[1] ?? first?.theme ?? '',
    methods: own,
  };
});

/** All that a caller writes, in order; what reads all pages needs no cursor. */
export function argumentsOf({ id, query, body = [], composed = [] }: Method, isEach = false): Argument[] {
  const all = [...(id === undefined ? [] : [id]), ...query, ...body, ...composed];
  return [
    ...all.filter((one) => one.isRequired),
    ...all.filter((one) => !one.isRequired && !(isEach && one.name === 'cursor')),
  ];
}

/** What a send takes for its call, in camel case; only one with a key takes a key. */
export const settingsOf = ({ composed, retry }: Method): string[] =>
  composed === undefined ? [] : [...(retry === 'keyed' ? ['idempotencyKey'] : []), 'requestId', 'timeout'];

/** What a page says beside its items. */
export const pageDoc =
  'Returns one page: its `items`, and `next` if there is more, which is the `cursor` of the next page.';

/** A text that names arguments in camel case, in another; `itself` is the argument that it explains. */
export function renamed(
  text: string,
  method: Method,
  rename: (name: string) => string,
  itself?: Argument,
): string {
  const siblings = methods.filter(({ group }) => group === method.group).map(({ name }) => name);
  const names = new Set([...siblings, ...argumentsOf(method).map(({ name }) => name)]);
  if (itself !== undefined) names.delete(itself.name);
  return text.replaceAll(/`(\w+)`/g, (whole, name: string) =>
    names.has(name) ? `\`${rename(name)}\`` : whole,
  );
}
