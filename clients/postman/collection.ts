/** Makes a Postman collection (v2.1) of the document's request examples: one folder per tag, tokens first. */
import {
  type ContractDocument,
  type RequestExample,
  requestExamples,
} from '../../contract-tests/request-examples.ts';

interface Item {
  name: string;
  event: object[];
  request: object;
}

/** The collection; its variables are those of the demo service, the client's secret left empty. */
export function createCollection(
  document: ContractDocument & { info: { title: string; version: string } },
): object {
  const examples = requestExamples(document);
  // Only with a token can the others be sent.
  const tags = [...new Set(examples.map(({ tag }) => tag))].sort((a, b) => rank(a) - rank(b));
  return {
    info: {
      name: `${document.info.title} ${document.info.version}`,
      description: 'Set clientSecret (data/demo.json has the demo\'s), send "Tokens" once, then any other.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'clientId', value: 'demo' },
      { key: 'clientSecret', value: '' },
      { key: 'token', value: '' },
    ],
    item: tags.map((tag) => ({
      name: tag,
      item: examples.filter((example) => example.tag === tag).map(itemOf),
    })),
  };
}

function rank(tag: string): number {
  return tag === 'Tokens' ? 0 : 1;
}

function itemOf(example: RequestExample): Item {
  const isToken = example.operationId === 'issueToken';
  const givesAllScopes = isToken && !('scope' in (example.value as object));
  return {
    name: `${example.operationId}: ${example.summary}`,
    event: [
      { listen: 'test', script: { type: 'text/javascript', exec: givesAllScopes ? keepsToken : isAccepted } },
    ],
    request: {
      method: example.method.toUpperCase(),
      url: {
        raw: `{{baseUrl}}${example.template.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: example.template
          .slice(1)
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/'),
        variable: Object.entries(example.pathParameters).map(([key, value]) => ({ key, value })),
      },
      header: [{ key: 'Content-Type', value: example.mediaType }],
      ...(isToken
        ? { auth: { type: 'noauth' }, body: tokenForm(example.value as object) }
        : { body: json(example.value) }),
    },
  };
}

const isAccepted = ["pm.test('is accepted', () => pm.response.to.have.status(200));"];
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
