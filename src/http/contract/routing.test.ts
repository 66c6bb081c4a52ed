/** The fast look-ups return the same as openapi-backend's own. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { type Document, OpenAPIBackend, ValidationContext } from 'openapi-backend';
import { type ContractDocument, documentOf, loadDocument } from '../../contract/document.ts';
import { notesYaml } from './notes-testing.ts';
import { installFastRouting } from './routing.ts';
import { createAjv, parameterOptions } from './schemas.ts';

const seed = Number(process.env.SEED);

async function createApi({ enforced }: ContractDocument = loadDocument()): Promise<OpenAPIBackend> {
  const api = new OpenAPIBackend({
    definition: enforced as Document,
    quick: true,
    strict: true,
    ignoreTrailingSlashes: false,
    // Stock validation shows the values it has made of query strings only then.
    coerceTypes: true,
    customizeAjv: (_ajv, _options, context) =>
      createAjv(context === ValidationContext.Params ? parameterOptions : {}) as never,
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
      // An id that the document's pattern rejects is no route for the fast look-up.
      const badId = /^\/(?:message|data)\/([^/]+)/.exec(randomPath)?.[1];
      if (badId !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(badId))
        expect(outcome(fast, request)).toEqual({ refused: '404' });
      else expect(outcome(fast, request)).toEqual(expected);
    }),
    { seed, numRuns: 5_000 },
  );
});

const stockNotes = await createApi(documentOf(load(notesYaml) as never, () => notesYaml));
const fastNotes = await createApi(documentOf(load(notesYaml) as never, () => notesYaml));
installFastRouting(fastNotes);

const queryValue = fc.oneof(
  fc.constantFrom('1', '0', '101', '1e2', '', 'true', '2026-01-31', '2026-13-31', 'a,b'),
  fc.string(),
);
const queryName = fc.constantFrom('limit', 'tag', 'tag[]', 'from', 'tag[a]', '__proto__', 'other');

test(`random query strings have the same verdict and the same values (SEED=${seed})`, () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(queryName, queryValue), { maxLength: 4 }), (pairs) => {
      const query = new URLSearchParams([['from', '2026-01-31'], ...pairs]).toString();
      const verdicts = [stockNotes, fastNotes].map((api) => {
        const operation = api.router.getOperation('listNotes');
        const request = { method: 'get', path: '/notes', query, headers: {} };
        return api.validator.validateRequest(request, operation);
      });
      expect(verdicts[1]?.valid).toBe(verdicts[0]?.valid);
      if (verdicts[0]?.valid) expect(verdicts[1]?.coerced?.query).toEqual(verdicts[0].coerced?.query);
    }),
    { seed, numRuns: 2_000 },
  );
});
