/**
 * Requests made from the documents: bodies that the schemas allow are never rejected for their shape, and a preview says
 * what the send will; what breaks them once is always rejected, with the sentence of that fault, and leaves nothing behind.
 * Whatever a read is asked, of both documents, its answer is documented. GENERATED sets how many, SEED replays.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type DocumentedOperation,
  operations,
  pathOf,
  requestsOf,
  sending,
  violations,
} from '../../spec/document.ts';
import type { Schema } from '../../src/contract/types.ts';
import { forEvery, testEvery } from '../../src/platform/for-every-testing.ts';
import { sized } from '../../src/platform/sized-testing.ts';
import { type BrokenBody, brokenBodies } from '../support/document/broken-bodies.ts';
import { spoiltTargets, targetsOf } from '../support/document/generated-queries.ts';
import { shownBy, validBodies } from '../support/document/valid-bodies.ts';
import { callerAt } from '../support/management/caller.ts';
import { operations as managed, requireConformity } from '../support/management/document.ts';
import { type Answer, call, tokenFor } from '../support/service/api.ts';
import { type InProcess, startInProcess } from '../support/service/in-process.ts';
import { countRows } from '../support/service/stored-data.ts';

const seed = Number(process.env.SEED);
const size = Number(process.env.GENERATED ?? sized(150, 10_000));
const requestsAtOnce = 16;
process.stderr.write(`generated requests: SEED=${seed} GENERATED=${size}\n`);

interface Target {
  operation: DocumentedOperation;
  name: string;
  /** Of the whole body. */
  schema: Schema;
  /** Of this mode of the body. */
  variant: Schema;
}

/** One per operation and mode of its body. */
const targets: Target[] = operations
  // The others with a body would post to whatever URL was generated.
  .filter((operation) => sending.includes(operation) || operation.operationId === 'issueToken')
  .flatMap((operation) => {
    const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema as Schema;
    return (schema.oneOf ?? [schema]).map((variant) => ({
      operation,
      schema,
      variant,
      name: [operation.operationId, variant.properties?.type?.const].join(' ').trim(),
    }));
  });

let service: InProcess;
let token: string;
let sent = 0;
const accepted = new Set<string>();

beforeAll(async () => {
  service = await startInProcess({ RATE_LIMIT_PER_SECOND: '1000000' });
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
afterAll(() => service.dispose());

function ask(operation: DocumentedOperation, body: unknown): Promise<Answer> {
  const { type } = requestsOf(operation);
  sent += 1;
  return call(service.demo.baseUrl, pathOf(operation), {
    method: operation.method.toUpperCase(),
    token: operation.security?.length ? token : undefined,
    body: isForm(operation)
      ? new URLSearchParams(body as Record<string, string>).toString()
      : JSON.stringify(body),
    headers: { 'content-type': type },
  });
}

function isForm(operation: DocumentedOperation): boolean {
  return requestsOf(operation).type !== 'application/json';
}

/** A form can only hold texts, and an empty one is no value. */
function canBeSent(operation: DocumentedOperation, body: unknown): boolean {
  if (!isForm(operation)) return true;
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  return isObject && Object.values(body).every((value) => typeof value === 'string' && value !== '');
}

/** Made from the schema, and now and then a published one, which comes further than to the first rules. */
function bodiesOf({ operation, variant }: Target, full: boolean): fc.Arbitrary<unknown> {
  const published = [...requestsOf(operation).examples.values()].filter(
    (body) => violations(variant, body) === undefined,
  );
  const made = validBodies(variant, { shown: shownBy(operation), full });
  const bodies = full
    ? made
    : fc.oneof({ weight: 3, arbitrary: made }, { weight: 1, arbitrary: fc.constantFrom(...published) });
  // Not every rule of a schema can be made to hold beforehand.
  return bodies.filter((body) => canBeSent(operation, body) && violations(variant, body) === undefined);
}

function breaksOf({ operation, schema }: Target, body: unknown): BrokenBody[] {
  return brokenBodies(schema, body).filter((one) => canBeSent(operation, one.body));
}

const sentenceOf = ({ body }: Answer): string => body.desc ?? body.error_description;

/** What is wrong with the response to a broken body; undefined when nothing is. */
async function faultOfRefusal(
  { operation, schema }: Target,
  broken: BrokenBody,
): Promise<string | undefined> {
  if (violations(schema, broken.body) === undefined) return tell('is not broken', broken, broken.body);
  const answer = await ask(operation, broken.body);
  if (broken.sentence === undefined)
    return [400, 401, 404].includes(answer.status) ? undefined : tell(answer.text, broken, broken.body);
  if (answer.status === 400 && sentenceOf(answer) === broken.sentence) return undefined;
  return tell(`${answer.status} ${answer.text}`, broken, broken.body);
}

/** What is wrong with the response to a valid body: it may be rejected, but not for its shape. */
async function faultOfTaking(
  { operation, schema, name }: Target,
  body: unknown,
): Promise<string | undefined> {
  const found = violations(schema, body);
  if (found !== undefined)
    return tell(`is broken: ${found.slice(0, 300)}`, { fault: 'valid', sentence: undefined }, body);
  const answer = await ask(operation, body);
  if (answer.status === 200) accepted.add(name);
  const shape = /^\/|^The request body must be|^No valid|^Maximum number/.test(sentenceOf(answer) ?? '');
  // A schema cannot say how far ahead a time is, nor which time zones there are, nor what goes with which kind of file.
  const beyond = /^(schedule|time-zone|reply)-invalid$/.test(answer.headers.get('error-code') ?? '');
  if (answer.status < 500 && (beyond || !shape)) return undefined;
  return tell(answer.text, { fault: 'valid', sentence: 'taken' }, body);
}

function tell(
  got: string,
  { fault, sentence }: Pick<BrokenBody, 'fault' | 'sentence'>,
  body: unknown,
): string {
  return `${fault}: expected ${sentence}, got ${got} for ${JSON.stringify(body).slice(0, 600)}`;
}

/** The first faults of all, several at a time. */
async function faultsOf<T>(
  items: readonly T[],
  judge: (item: T) => Promise<string | undefined>,
): Promise<string[]> {
  const faults: string[] = [];
  const rest = items.values();
  await Promise.all(
    Array.from({ length: requestsAtOnce }, async () => {
      for (const item of rest) {
        const fault = await judge(item);
        if (fault !== undefined) faults.push(fault);
      }
    }),
  );
  return faults.slice(0, 10);
}

describe('broken once', () => {
  let before: Record<string, number>;
  beforeAll(async () => {
    before = await countRows(service.knex);
  });

  testEvery(targets)('every rule of $name', async (target) => {
    const bodies = fc.sample(bodiesOf(target, true), { seed, numRuns: 2 });
    const broken = bodies.flatMap((body) => breaksOf(target, body));
    expect(broken.length).toBeGreaterThan(5);
    expect(await faultsOf(broken, (one) => faultOfRefusal(target, one))).toEqual([]);
  });

  testEvery(targets)('$name, anywhere in bodies of every form', async (target) => {
    const count = Math.max(1, Math.floor((size * 0.8) / targets.length));
    const bodies = fc.sample(fc.tuple(bodiesOf(target, false), fc.nat()), { seed, numRuns: count });
    const broken = bodies.flatMap(([body, choice]) => {
      const breaks = breaksOf(target, body);
      return breaks[choice % breaks.length] ?? [];
    });
    expect(await faultsOf(broken, (one) => faultOfRefusal(target, one))).toEqual([]);
  });

  test('a body nested too deeply, wherever it may hold what nobody knows', async () => {
    const nested = JSON.parse(`${'['.repeat(25)}${']'.repeat(25)}`);
    for (const target of targets.filter(({ operation }) => !isForm(operation))) {
      const [body] = fc.sample(bodiesOf(target, true), { seed, numRuns: 1 });
      const answer = await ask(target.operation, { ...(body as object), nested });
      expect([answer.status, answer.body]).toEqual([
        400,
        { desc: 'The request body is nested deeper than 20 levels.' },
      ]);
    }
  });

  test('nothing was stored', async () => {
    expect(Object.values(before).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
    expect(await countRows(service.knex)).toEqual(before);
  });
});

describe('valid', () => {
  test('no operation refuses them for their shape', () =>
    forEvery(targets, '$name is not refused for its shape', async (target) => {
      const count = Math.max(15, Math.ceil((size * 0.2) / targets.length));
      const bodies = fc.sample(bodiesOf(target, false), { seed, numRuns: count });
      expect(await faultsOf(bodies, (body) => faultOfTaking(target, body))).toEqual([]);
    }));

  test('and some are accepted, of every operation that needs no secret', () => {
    const open = targets
      .filter(({ operation }) => !isForm(operation))
      .map(({ operation }) => operation.operationId);
    const seen = new Set([...accepted].map((name) => name.split(' ')[0]));
    expect([...new Set(open)].filter((id) => !seen.has(id))).toEqual([]);
  });
});

describe('a preview says what the send of the same body will', () => {
  interface Shown {
    problems: { code: string }[];
  }
  const codesOf = ({ body }: Answer): string[] =>
    [body as Shown, ...(body.recipients as Shown[])].flatMap(({ problems }) =>
      problems.map(({ code }) => code),
    );

  /** `duplicated` is accepted. */
  const faultOf = async ({ operation }: Target, body: unknown): Promise<string | undefined> => {
    const preview = { ...operation, path: `${operation.path}/preview` };
    const [shown, answer] = [await ask(preview, body), await ask(operation, body)];
    const code = answer.headers.get('error-code');
    const agrees =
      shown.status === 200
        ? code === null
          ? codesOf(shown).every((one) => one === 'duplicated')
          : codesOf(shown).includes(code)
        : shown.status === answer.status && shown.text === answer.text;
    return agrees ? undefined : `${shown.text} but ${answer.text} for ${JSON.stringify(body).slice(0, 600)}`;
  };

  testEvery(targets.filter(({ operation }) => sending.includes(operation)))('$name', async (target) => {
    const count = Math.max(8, Math.ceil((size * 0.1) / targets.length));
    const bodies = fc.sample(bodiesOf(target, false), { seed, numRuns: count });
    expect(await faultsOf(bodies, (body) => faultOf(target, body))).toEqual([]);
  });
});

describe('whatever is asked for, the answer is documented, and an error has a sentence', () => {
  const reads = operations.filter(({ method }) => method === 'get');
  const managedReads = managed.filter(({ method }) => method === 'get');
  const count = Math.max(2, Math.ceil((size * 0.3) / (reads.length + managedReads.length)));
  const askedOf = (operation: Parameters<typeof targetsOf>[0]) => [
    ...spoiltTargets(operation),
    ...fc.sample(targetsOf(operation), { seed, numRuns: count }),
  ];
  const judge = async (target: string, answer: Promise<Answer>): Promise<string | undefined> => {
    sent += 1;
    try {
      const { status, body, text } = await answer;
      const silent =
        status >= 400 && typeof body.desc !== 'string' && typeof body.error_description !== 'string';
      return status >= 500 || silent ? `${target}: ${status} ${text}` : undefined;
    } catch (error) {
      return `${target}: ${error}`;
    }
  };

  testEvery(reads)('$operationId', async (operation) => {
    const asked = askedOf(operation as never);
    const read = (target: string) => call(service.demo.baseUrl, target, { method: 'GET', token });
    expect(await faultsOf(asked, (target) => judge(target, read(target)))).toEqual([]);
  });

  testEvery(managedReads)(
    'management $operationId',
    async (operation) => {
      const { url, key } = service.management;
      const manage = callerAt(url, key);
      const read = async (target: string) => {
        const answer = await manage(`GET ${target}`);
        requireConformity(operation, answer);
        return answer;
      };
      const asked = askedOf(operation as never);
      expect(await faultsOf(asked, (target) => judge(target, read(target)))).toEqual([]);
    },
    240_000,
  );
});

test('as many as were asked for', () => {
  expect(sent).toBeGreaterThanOrEqual(size);
});
