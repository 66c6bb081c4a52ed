/**
 * Makes a Postman collection (v2.1) of the document's request examples: one folder per tag, tokens first. openapi-to-postmanv2
 * makes one request for each operation, not one for each example, and brings dozens of packages.
 */
import { type DocumentedOperation, operations, published, requestsOf } from '../../spec/document.ts';

interface Item {
  name: string;
  event: object[];
  request: object;
}

/** The collection; its variables are those of the demo service, the client's secret left empty. */
export function createCollection(): object {
  // Only with a token can the others be sent.
  const tags = [...new Set(operations.map(tagOf))].sort((a, b) => rank(a) - rank(b));
  return {
    info: {
      name: `${published.info.title} ${published.info.version}`,
      description: 'Set clientSecret (data/demo.json has the demo\'s), send "Tokens" once, then any other.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'clientId', value: 'demo' },
      { key: 'clientSecret', value: '' },
      { key: 'token', value: '' },
      { key: 'requestId', value: '' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: operations.filter((operation) => tagOf(operation) === tag).flatMap(itemsOf),
    })),
  };
}

function rank(tag: string): number {
  return tag === 'Tokens' ? 0 : 1;
}

function tagOf({ tags: [tag = ''] }: DocumentedOperation): string {
  return tag;
}

/** A request for each published example; one without a body where the operation has none. */
function itemsOf(operation: DocumentedOperation): Item[] {
  if (operation.requestBody === undefined) return [itemOf(operation, operation.summary)];
  const { type, examples } = requestsOf(operation);
  return [...examples].map(([name, value]) => {
    const { summary = name } = operation.requestBody?.content[type]?.examples?.[name] ?? {};
    return itemOf(operation, summary, { type, value: value as object });
  });
}

function itemOf(
  { operationId, method, path, parameters = [] }: DocumentedOperation,
  summary: string,
  body?: { type: string; value: object },
): Item {
  const isToken = operationId === 'issueToken';
  const givesAllScopes = isToken && body !== undefined && !('scope' in body.value);
  const place = path.replace(/\{(\w+)\}/g, ':$1');
  return {
    name: `${operationId}: ${summary}`,
    event: [
      {
        listen: 'test',
        script: { type: 'text/javascript', exec: givesAllScopes ? keepsToken : checksOf(operationId) },
      },
    ],
    request: {
      method: method.toUpperCase(),
      url: {
        raw: `{{baseUrl}}${place}`,
        host: ['{{baseUrl}}'],
        path: place.slice(1).split('/'),
        variable: parameters
          .filter((parameter) => parameter.in === 'path')
          .map(({ name, example }) => ({ key: name, value: fromResponses.get(name) ?? String(example) })),
      },
      header: body === undefined ? [] : [{ key: 'Content-Type', value: body.type }],
      ...(isToken ? { auth: { type: 'noauth' } } : {}),
      ...(body === undefined ? {} : { body: isToken ? tokenForm(body.value) : json(body.value) }),
    },
  };
}

/** Ids that nobody can know beforehand. */
const fromResponses = new Map([['requestId', '{{requestId}}']]);

const isOneOf = (...statuses: number[]) => [
  `pm.test('is accepted', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]));`,
];
/** A receipt to resend is for people to choose. */
const isKnownOrNot = isOneOf(200, 404);
/** By then the SMS has left. */
const isCancelledOrLate = isOneOf(200, 409);
const checksOf = (operationId: string) =>
  ({
    sendSms: keepsRequest,
    resendReceipt: isKnownOrNot,
    getReceipt: isKnownOrNot,
    cancelRequest: isCancelledOrLate,
  })[operationId] ?? isAccepted;
const isAccepted = ["pm.test('is accepted', () => pm.response.to.have.status(200));"];
const keepsRequest = [
  ...isAccepted,
  "pm.collectionVariables.set('requestId', pm.response.json().result.requestId);",
];
const keepsToken = [...isAccepted, "pm.collectionVariables.set('token', pm.response.json().access_token);"];

function json(value: unknown): object {
  return { mode: 'raw', raw: JSON.stringify(value, undefined, 2), options: { raw: { language: 'json' } } };
}

function tokenForm(value: object): object {
  const form = { ...value, client_id: '{{clientId}}', client_secret: '{{clientSecret}}' };
  return {
    mode: 'urlencoded',
    urlencoded: Object.entries(form).map(([key, entry]) => ({ key, value: String(entry) })),
  };
}
