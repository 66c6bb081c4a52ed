/** Holds the code to its layout: who imports whom, what stays pure and how each file opens. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { floors, knows, owners, pure, repository } from './layers-testing.ts';
import { cycleThrough, filesBelow, importsOf, readSource } from './sources-testing.ts';

const everything = ['src', 'handlers', 'tools', 'contract-tests'].flatMap(filesBelow).map(readSource);
/** Replaces time, the network and the database's client in the process that it runs in. */
const isHarness = /^contract-tests\/faults\//;
/** What runs in production. */
const sources = everything.filter(
  ({ path }) => /^(src|handlers)\//.test(path) && !/(\.test|[/-]testing|\/dump-schema)\.ts$/.test(path),
);

/** Writes programs for readers, and runs none of them. */
const writesPrograms = /^src\/docs\/samples\//;

testEvery<[promise: string, code: RegExp, onlyIn: string[]]>([
  [
    'the time of day is read in one place: a duration would change with it',
    /Date\.now\b|new Date\(\)/,
    ['src/partner/sandbox/smsc/smsc.ts', 'src/platform/clock.ts'],
  ],
  [
    'SQL reads the time from service_now() and service_clock() only',
    /\.fn\.now\b|(?<![\w.])now\(\)(?!:)|\b(?:current_|local|clock_|statement_|transaction_)time(?:stamp)?\b/i,
    ['src/partner/sandbox/time/clock.ts'],
  ],
  [
    'nothing but a sandbox replaces the function that gives SQL its time',
    /(function|execute)\s+service_(now|clock)\b/i,
    ['src/partner/sandbox/time/clock.ts'],
  ],
  [
    'only the catalogue creates rejections: all sentences for clients are there',
    /new Rejection\(/,
    ['src/platform/errors.ts'],
  ],
  // It writes programs for readers.
  [
    'none writes to the console or calls the global fetch',
    /\bconsole\s*\.|(?<![.\w])fetch\(/,
    ['src/docs/samples/typescript.ts'],
  ],
])('only where it belongs: %s', (_promise, code, onlyIn) => {
  const found = sources.filter((source) => code.test(source.code)).map(({ path }) => path);
  expect(found.sort()).toEqual(onlyIn);
});

describe('imports', () => {
  test('tools import nothing from the contract tests; what both use is in spec/', () => {
    const tools = ['spec', 'clients', 'tools'].flatMap(filesBelow);
    const breaches = tools
      .filter((path) => !path.endsWith('.test.ts'))
      .map(readSource)
      .filter(({ imports }) => imports.some(({ target }) => target.startsWith('contract-tests/')));
    expect(breaches.map(({ path }) => path)).toEqual([]);
  });

  const inside = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^(src|handlers|generated|tools|contract-tests)\//.test(target))
      .map(({ target }) => ({ path, target })),
  );
  const floorOf = (path: string) =>
    floors.findIndex((floor) => path === floor || path.startsWith(`${floor}/`));

  test('no arrow goes up', () => {
    const rising = inside.filter(
      ({ path, target }) =>
        !target.startsWith('generated/') && (floorOf(target) === -1 || floorOf(path) < floorOf(target)),
    );
    expect(rising.map(words)).toEqual([]);
  });

  test('every file stands on a floor', () => {
    expect(sources.filter(({ path }) => floorOf(path) === -1).map(({ path }) => path)).toEqual([]);
  });

  test('some floors know less than what is below them', () => {
    const own = (path: string) => floors[floorOf(path)] ?? path;
    const breaches = inside.filter(({ path, target }) =>
      knows.some(
        ({ from, only }) =>
          from.test(path) &&
          !only.test(target) &&
          ![own(path), 'src/platform', 'src/model', 'src/contract'].includes(own(target)),
      ),
    );
    expect(breaches.map(words)).toEqual([]);
  });

  testEvery(owners)('$what: only where it belongs', ({ packages, may, typesToo }) => {
    const importing = sources.flatMap(({ path, imports }) =>
      imports
        .filter(({ target, typeOnly }) => packages.test(target) && (typesToo || !typeOnly))
        .map(({ target }) => ({ path, target })),
    );
    expect(importing.filter(({ path }) => !may.test(path))).toEqual([]);
  });

  test('neither rules nor handlers call repositories', () => {
    const callers = sources.filter(({ path }) => !repository.test(path));
    const breaches = callers.flatMap(({ path, imports }) =>
      imports
        .filter(({ target, typeOnly }) => !typeOnly && target.startsWith('src/') && repository.test(target))
        .filter(({ target }) => !(path.startsWith('handlers/') && target.startsWith('src/read/')))
        .filter(
          () =>
            !/^src\/(archive|ledger|access|connectors|console|delivery|inbound|platform\/isolation|manage|receipts|retention|process|demo|partner|cli)\//.test(
              path,
            ),
        )
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(breaches).toEqual([]);
  });

  test('no file imports itself, however indirectly, not even for types', () => {
    const targets = new Map(
      everything.map(({ path, imports }) => [path, imports.map(({ target }) => target)]),
    );
    expect(everything.flatMap(({ path }) => cycleThrough(path, targets))).toEqual([]);
  });
});

test('nothing imports the harness of the fault tests', () => {
  const importing = everything
    .filter(({ path }) => !isHarness.test(path))
    .filter(({ imports }) => imports.some(({ target }) => isHarness.test(target)));
  expect(importing.map(({ path }) => path)).toEqual([]);
});

test('nothing but its command reaches a sandbox', () => {
  const reaching = sources.flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ target }) => target.startsWith('src/partner/sandbox/') && !path.startsWith('src/partner/sandbox/'),
      )
      .map(() => path),
  );
  expect(reaching.sort()).toEqual(['src/cli/operation/sandbox.ts', 'src/partner/conform/run.ts']);
});

test('chat-app rules know no network: each connector renders the form of its own', () => {
  const wire = /cloud api|whatsapp|sub_type|coupon_code|parameter_name/i;
  const knowing = sources.filter(
    ({ path, text }) => path.startsWith('src/products/chatapp/') && wire.test(text),
  );
  expect(knowing.map(({ path }) => path)).toEqual([]);
});

describe('pure rules', () => {
  const rules = sources.filter(({ path }) => pure.test(path));

  testEvery(rules.map((rule) => ({ ...rule, name: rule.path })))('$name', ({ code, imports }) => {
    const outside = imports.filter(
      ({ target, typeOnly }) =>
        !typeOnly && /^(node:(?!net$)|knex|pg|pino|koa|undici)|repository\.ts$/.test(target),
    );
    expect(outside).toEqual([]);
    expect(code).not.toMatch(
      /Date\.now\(|new Date\(\)|Math\.random\(|randomUUID|randomBytes|process\.|\bawait\b/,
    );
  });
});

// Rounds take a plain Error for one of the infrastructure, and would retry the same items forever.
test('background rounds blame items with an ItemFault', () => {
  // An expired lease, an error that its caller catches, requests that are planned one by one: no item is to blame.
  const allowed = [
    ...['delivery/hand-over', 'products/chatapp/fallback', 'products/sms/plan'],
    ...['queue/queue', 'receipts/callback/signature'],
  ];
  const rounds = /^src\/(?:products\/(?:chatapp|data|sms)|delivery|queue|receipts)\//;
  const plain = sources.filter(({ path, code }) => rounds.test(path) && /\bthrow new Error\(/.test(code));
  expect(plain.map(({ path }) => path).sort()).toEqual(allowed.map((name) => `src/${name}.ts`));
});

describe('files', () => {
  test('none is a barrel or a drawer', () => {
    const drawer = /(^|\/)(index|utils?|helpers?|services|common|misc)(\.ts|\/)/;
    expect(everything.filter(({ path }) => drawer.test(path)).map(({ path }) => path)).toEqual([]);
  });

  test('each starts with a sentence on what it is responsible for', () => {
    const opening = /^(?:#!.*\n)?\/\*\*[^*]*[^\s*][^*]*[.?!]\s*\*\/|^(?:#!.*\n)?\/\*\*\n( \*.*\n)+ \*\//;
    expect(everything.filter(({ text }) => !opening.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('only config.ts reads the environment, handed to it by main.ts', () => {
    const reading = sources.filter(
      ({ path, code }) =>
        /process\s*\.\s*env|\benv\b.*node:process/.test(
          path === 'src/main.ts' ? code.replace('runCommand(process.argv.slice(2), process.env', '') : code,
        ) &&
        path !== 'src/process/config.ts' &&
        !writesPrograms.test(path),
    );
    expect(reading.map(({ path }) => path)).toEqual([]);
  });
});

describe('the reader of this test', () => {
  test('sees imports of every form', () => {
    const text = `import 'a';
import b, { type B } from '../b.ts';
import type { C } from './c.ts';
import {
  d,
} from "d";
export * from './e.ts';
export type { F } from './f.ts';
const g = await import('g');
const h: import('node:h').H = 1;`;
    expect(importsOf('src/x/here.ts', text)).toEqual([
      { target: 'a', typeOnly: false },
      { target: 'src/b.ts', typeOnly: false },
      { target: 'src/x/c.ts', typeOnly: true },
      { target: 'd', typeOnly: false },
      { target: 'src/x/e.ts', typeOnly: false },
      { target: 'src/x/f.ts', typeOnly: true },
      { target: 'g', typeOnly: false },
      { target: 'node:h', typeOnly: true },
    ]);
  });

  test('finds a cycle', () => {
    const targets = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(cycleThrough('a', targets)).toEqual(['a → b → c → a']);
    expect(cycleThrough('d', targets)).toEqual([]);
  });
});

function words({ path, target }: { path: string; target: string }): string {
  return `${path} imports ${target}`;
}
