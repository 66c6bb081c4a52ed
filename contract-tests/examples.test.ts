/** Sends every request example of the document, as readers of it will: the demo service accepts all of them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { call, tokenFor } from './api.ts';
import { requestExamples } from './request-examples.ts';
import { type Service, startService } from './service.ts';

const document = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'));
const examples = requestExamples(document);

let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
afterAll(() => service.dispose());

test.each(examples)('200 $operationId, example $name', async ({ path, mediaType, value }) => {
  const body =
    mediaType === 'application/json'
      ? JSON.stringify(value)
      : new URLSearchParams({ ...(value as object), client_secret: service.demo.clientSecret }).toString();
  const answer = await call(service.demo.baseUrl, path, {
    token: mediaType === 'application/json' ? token : undefined,
    body,
    headers: { 'content-type': mediaType },
  });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
});

test('every operation and mode has an example', () => {
  const operations = Object.values<Record<string, { operationId?: string }>>(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) => operationId ?? []),
  );
  expect(new Set(examples.map(({ operationId }) => operationId))).toEqual(new Set(operations));
});
