/** What the command line prints before any command runs: help, version, suggestions and faults. */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { allCommands, runCommand } from './main.ts';

let out: string[];
let err: string[];

beforeEach(() => {
  [out, err] = [[], []];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function run(words: string) {
  const code = await runCommand(words === '' ? [] : words.split(' '), {});
  return { code, out: out.splice(0).join(''), err: err.splice(0).join('') };
}

describe('help', () => {
  test('without a command it goes to the standard error, exit code 2', async () => {
    const none = await run('');
    expect(none).toMatchObject({ code: 2, out: '', err: expect.stringContaining('client add <client>') });
    expect(await run('help')).toEqual({ code: 0, out: none.err, err: '' });
    expect(await run('--help')).toEqual({ code: 0, out: none.err, err: '' });
  });

  test('starts with the ten most used commands, and names all', async () => {
    const { out: shown } = await run('help');
    const [, most = '', all = ''] = /Most used\n(.*?)\n\nAll commands\n(.*)/s.exec(shown) ?? [];
    expect(most.match(/^ {2}\S/gm)).toHaveLength(10);
    for (const { words } of allCommands())
      for (const word of words.split(' ')) expect(all.split(/[\s,;]+/)).toContain(word);
    expect(shown.split('\n').length).toBeLessThan(60);
  });

  test('of a noun lists its commands', async () => {
    const listed = await run('connector --help');
    expect(listed.out).toContain('connector pause <connector>');
    expect(listed.out).not.toContain('channel add');
    expect(await run('connector')).toEqual({ code: 2, out: '', err: listed.out });
  });

  test('of a command is the same in both forms', async () => {
    const shown = await run('help client add');
    expect(shown.out).toMatch(/^Usage: tarishi client add <client> \[options\]\n/);
    expect(await run('client add --help')).toEqual(shown);
    expect(await run('client add --nmae -h')).toEqual(shown);
  });

  test.each([
    '',
    'connector',
    'template set --help',
    'campaign add --help',
    'campaign add',
    'connector add --help',
  ])('fits into 80 columns: %s', async (words) => {
    const shown = await run(words);
    const long = `${shown.out}${shown.err}`.split('\n').filter((line) => line.length > 80);
    expect(long).toEqual([]);
  });
});

test('--version', async () => {
  expect(await run('--version')).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: '',
  });
});

test.each([
  ['tem add acme', "unknown command 'tem'; did you mean team?", 'See npx tarishi help.'],
  ['team ad acme', "unknown command 'team ad'; did you mean team add?", 'See npx tarishi help team.'],
  ['help tem', "unknown command 'tem'; did you mean team?", 'See npx tarishi help.'],
  [
    'team add acme --nmae Acme',
    "unknown option '--nmae'; did you mean --name?",
    'Usage: tarishi team add <team> [options]\nSee npx tarishi team add --help.',
  ],
])('a typo, %s: a suggestion and short help', async (words, sentence, help) => {
  expect(await run(words)).toEqual({ code: 2, out: '', err: `tarishi: ${sentence}\n\n${help}\n` });
});

test('before a command runs, only commander and the list of countries are loaded of all packages', () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, 'src/main.ts', '--help'],
    { encoding: 'utf8' },
  );
  expect(stdout).toMatch(/^Usage: tarishi/);
  const packages = new Set(stderr.match(/(?<=node_modules\/)(@[^/]+\/)?[^/]+/g));
  expect([...packages].sort()).toEqual(['commander', 'libphonenumber-js']);
});
