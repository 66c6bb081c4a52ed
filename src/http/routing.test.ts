/** The fast look-ups answer what openapi-backend's own would. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OpenAPIBackend } from 'openapi-backend';
import { loadDocument } from './document.ts';
import { installFastRouting } from './routing.ts';
import { createAjv } from './schemas.ts';

const seed = Number(process.env.SEED ?? Date.now());

async function createApi(): Promise<OpenAPIBackend> {
  const api = new OpenAPIBackend({
    definition: loadDocument().enforced,
    quick: true,
    strict: true,
    ignoreTrailingSlashes: false,
    customizeAjv: () => createAjv() as never,
  });
  await api.init();
  api.validator.preCompileRequestValidators();
  return api;
}

const stock = await createApi();
const fast = await createApi();
installFastRouting(fast);

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const part = fc.oneof(
  id,
  fc.constantFrom('message', 'data', 'oauth', 'token', 'chatapp', '', '.', '..', '%2F', 'a.b', 'é'),
);
const path = fc.oneof(
  part.map((one) => `/message/${one}`),
  part.map((one) => `/message/${one}/chatapp`),
  part.map((one) => `/data/${one}`),
  fc.constant('/oauth/token'),
  fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
);
const method = fc.constantFrom('POST', 'GET', 'PUT', 'DELETE', 'post');

function outcome(api: OpenAPIBackend, request: { method: string; path: string }) {
  const headers = {};
  try {
    const operation = api.router.matchOperation({ ...request, headers }, true);
    const { params } = api.router.parseRequest({ ...request, headers }, operation);
    return { operationId: operation?.operationId, params };
  } catch (error) {
    return { refused: (error as Error).message.slice(0, 3) };
  }
}

test(`random paths and methods find the same operation, parameters and refusal (SEED=${seed})`, () => {
  fc.assert(
    fc.property(path, method, (randomPath, randomMethod) => {
      const request = { path: randomPath, method: randomMethod };
      const expected = outcome(stock, request);
      // An id that the document's pattern refuses is no route for the fast look-up.
      const badId = /^\/(?:message|data)\/([^/]+)/.exec(randomPath)?.[1];
      if (badId !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(badId))
        expect(outcome(fast, request)).toEqual({ refused: '404' });
      else expect(outcome(fast, request)).toEqual(expected);
    }),
    { seed, numRuns: 5_000 },
  );
});

test.each([
  { type: 'SendToMany', addresses: ['0711000000'], message: 'x' },
  { type: 'SendToMany', addresses: [], message: 'x' },
  { type: 'TemplateSendToMany', templateId: 't', addresses: ['1'], params: [], extra: 1 },
  { type: 'Other' },
  [],
  {},
])('a body has the same verdict: %j', (body) => {
  const request = {
    method: 'POST',
    path: '/message/demo-sms',
    headers: { 'content-type': 'application/json' },
    body,
  };
  const verdicts = [stock, fast].map((api) => {
    const operation = api.router.getOperation('sendSms');
    return api.validator.validateRequest(request as never, operation).valid;
  });
  expect(verdicts[1]).toBe(verdicts[0]);
});
