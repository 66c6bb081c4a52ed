/** Calls the service as a client would, and holds every answer to the published document. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIBackend, type Operation } from 'openapi-backend';
import { parse } from 'yaml';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  body: any;
  text: string;
}

export interface CallOptions {
  method?: string;
  token?: string | undefined;
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** What the document offers, as exercised by the calls of this test file: `operation status`. */
export const exercised = new Set<string>();

const document = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'));
const { operations, validators } = await compile();

/** Calls the service. Throws when status, headers or body of the answer are not those of the document. */
export async function call(baseUrl: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'POST', token, body, headers = {} } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
  conforms(method, path, answer);
  return answer;
}

/** A token by the client's credentials in the form. */
export async function tokenFor(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  scope?: string,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await call(baseUrl, '/oauth/token', {
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
  return answer.body.access_token;
}

/** Only calls of documented operations can be held to the document; 404 and 405 of other paths have none. */
function conforms(method: string, path: string, answer: Answer): void {
  const operation = operations.find(
    (one) => one.method === method.toLowerCase() && patternOf(one.path).test(path.split('?')[0] ?? ''),
  );
  if (operation === undefined) return;
  const { operationId } = operation;
  const fault = (what: string) =>
    new Error(`${operationId} ${answer.status} is not what the document says: ${what}\n${answer.text}`);
  const response = (operation.responses as Record<string, DocumentedResponse>)[answer.status];
  if (response === undefined) throw fault('undocumented status');
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const value = answer.headers.get(name);
    if (value === null && header.required) throw fault(`header ${name} is missing`);
    if (value !== null && !validatorOf(header.schema)(value)) throw fault(`header ${name}: ${value}`);
  }
  const schema = response.content?.['application/json']?.schema;
  if (schema !== undefined) {
    const validate = validatorOf(schema);
    if (!validate(answer.body)) throw fault(JSON.stringify(validate.errors));
  }
  exercised.add(`${operationId} ${answer.status}`);
}

interface DocumentedResponse {
  headers?: Record<string, { required?: boolean; schema: object }>;
  content?: { 'application/json'?: { schema: object } };
}

function validatorOf(schema: object) {
  const known = validators.get(schema);
  if (known === undefined) throw new Error('a schema of the document was not compiled');
  return known;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** By the stock openapi-backend and Ajv, not by the service's own code. */
async function compile() {
  const api = new OpenAPIBackend({ definition: structuredClone(document), quick: true });
  await api.init();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const operations: Operation[] = api.router.getOperations();
  const validators = new Map<object, ReturnType<typeof ajv.compile>>();
  for (const { responses } of operations)
    for (const response of Object.values(responses ?? {}) as DocumentedResponse[])
      for (const schema of [
        ...Object.values(response.headers ?? {}).map((header) => header.schema),
        ...Object.values(response.content ?? {}).map((content) => content.schema),
      ])
        if (schema !== undefined && !validators.has(schema)) validators.set(schema, ajv.compile(schema));
  return { operations, validators };
}
