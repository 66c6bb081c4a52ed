/** Each client sends what the document asks for: all operations, all parameters, all properties of all bodies. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { answerExamples, secured } from '../spec/document.ts';
import { forEvery } from '../src/platform/for-every-testing.ts';
import { type Language, languages, openedClient, writtenIn } from './testing/clients.ts';
import { propertiesOfBody, propertiesOfSchema } from './testing/properties.ts';
import { reads } from './testing/reads.ts';
import { file, json, openedScriptedServer } from './testing/scripted-server.ts';
import { sends } from './testing/sends.ts';

const requestCases = [...sends, ...reads];

describe('the table of requests', () => {
  test('has every parameter and property of every operation', () =>
    forEvery(secured, '$operationId', ({ operationId, parameters, requestBody }) => {
      const cases = requestCases.filter((one) => one.operationId === operationId);
      const queries = cases.map((one) => new URL(one.path, 'http://here').searchParams);
      for (const { name } of parameters.filter((one) => one.in === 'query'))
        expect([name, queries.some((query) => query.has(name))]).toEqual([name, true]);
      const headers = { 'Idempotency-Key': 'idempotencyKey', 'X-Request-Id': 'requestId' };
      // The instrumentation of the caller's HTTP client sends these.
      const traces = ['traceparent', 'tracestate'];
      for (const { name } of parameters.filter((one) => one.in === 'header'))
        expect([...Object.keys(headers), ...traces]).toContain(name);

      const schema = requestBody?.content['application/json']?.schema ?? {};
      const sent = new Set(cases.flatMap(({ body }) => propertiesOfBody(body)));
      const missing = propertiesOfSchema(schema).filter((place) => !sent.has(place));
      // The other name of `message`.
      expect(missing.filter((place) => place !== '(SendToEach).messages[].text')).toEqual([]);
      expect(cases).not.toEqual([]);
    }));
});

const titled = requestCases.map((one, place) => ({ ...one, title: `${place + 1}: ${one.call} ${one.path}` }));

describe.each(languages)('%s', (language) => {
  const client = openedClient(language);
  const server = openedScriptedServer();
  beforeEach(() => {
    server.seen.length = 0;
  });
  const connection = () => ({ baseUrl: `${server.url}/`, clientId: 'c', clientSecret: 's', scope: 'a b' });

  test('sends every request of the table, and reads its response', () =>
    forEvery(titled, '$title', async ({ operationId, call, args, options = {}, path, body, part }) => {
      server.seen.length = 0;
      const [example] = answerExamples().filter(
        (one) => one.operation.operationId === operationId && one.status === '200',
      );
      // A file has none.
      const { next: _, ...answer } = asRead(language, example?.value ?? {});
      server.replies.push(example === undefined ? file('\u0000PNG') : json(200, answer));
      const outcome = await client.run({ call, args, options, client: connection() });

      const value = part === undefined ? answer : answer[part];
      expect(outcome).toEqual({ value: example === undefined ? '\u0000PNG' : value, pauses: [] });
      const operation = secured.find((one) => one.operationId === operationId);
      expect(server.seen).toEqual([
        {
          method: operation?.method.toUpperCase(),
          path: withPlus(writtenIn(language, path)),
          headers: expect.anything(),
          body: body && JSON.parse(writtenIn(language, JSON.stringify(body))),
        },
      ]);
      const [{ headers = {} } = {}] = server.seen;
      expect(headers).toMatchObject({
        authorization: 'Bearer t1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
      });
      expect(headers['idempotency-key']).toEqual(options.idempotencyKey);
    }));

  test('the token is requested once, with credentials and scope', () => {
    expect(server.tokenForms.map((form) => Object.fromEntries(new URLSearchParams(form)))).toEqual([
      { grant_type: 'client_credentials', client_id: 'c', client_secret: 's', scope: 'a b' },
    ]);
  });

  test('each reads all pages', async () => {
    const [one, two, three] = ['1', '2', '3'].map((id) => ({ id }));
    const pages = [{ items: [one, two], next: 'two' }, { items: [], next: 'three' }, { items: [three] }];
    server.replies.push(...pages.map((one) => json(200, one)));
    const { value } = await client.run({ call: 'services.each', args: { limit: 2 }, client: connection() });
    expect(value).toMatchObject([{ id: '1' }, { id: '2' }, { id: '3' }]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/services?limit=2',
      '/services?limit=2&cursor=two',
      '/services?limit=2&cursor=three',
    ]);
  });

  /** A space in a query may be written in two ways. */
  const withPlus = (path: string) =>
    expect.stringMatching(
      new RegExp(`^${path.replaceAll(/[?+]/g, '\\$&').replaceAll(/(?<=\?.*)%20/g, '(%20|\\+)')}$`),
    );
});

/** PHP has no empty object. */
function asRead(language: Language, value: unknown): Record<string, unknown> {
  return JSON.parse(writtenIn(language, JSON.stringify(value)), (_, part) =>
    language === 'php' && JSON.stringify(part) === '{}' ? [] : part,
  );
}
