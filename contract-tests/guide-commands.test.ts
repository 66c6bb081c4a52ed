/** The commands of the guides, run against the demo service, answer what the guides say. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guideOrder } from '../src/docs/guides.ts';
import { examplesOf } from './guides.ts';
import { type Service, startService } from './service.ts';

const missing = ['bash', 'curl', 'sed'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) process.stdout.write(`skipped: ${missing.join(', ')} not on this machine\n`);
const withTools = missing.length > 0 ? describe.skip : describe;

const isCommand = ({ language, attributes }: { language: string; attributes: object }) =>
  language === 'sh' && !('run' in attributes);

/** Gets the token that all other guides use. */
const [token] = examplesOf('first-message').filter(isCommand);
const border = '=====';

withTools('the commands of', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.dispose());

  test.each(guideOrder)('%s', (guide) => {
    const examples = examplesOf(guide);
    const commands = examples.flatMap((example, place) =>
      isCommand(example) ? [{ command: example.text, answer: examples[place + 1] }] : [],
    );
    const script = [token?.text ?? '', ...commands.map(({ command }) => command)];
    const { stdout, stderr, status } = spawnSync(
      'bash',
      ['--norc', '-eu', '-c', script.join(`\necho ${border}\n`)],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          BASE: service.demo.baseUrl,
          CLIENT_SECRET: service.demo.clientSecret,
        },
      },
    );
    expect([status, stderr]).toEqual([0, '']);
    const outputs = stdout.split(`${border}\n`).slice(1);
    expect(outputs).toHaveLength(commands.length);
    commands.forEach(({ answer }, place) => {
      if (answer?.language === 'json')
        expect(JSON.parse(outputs[place] ?? '')).toEqual(expected(JSON.parse(answer.text)));
      if (answer?.language === 'text') expect(outputs[place]).toBe(`${answer.text}\n`);
    });
  });

  test('there are some', () => {
    expect(guideOrder.flatMap(examplesOf).filter(isCommand).length).toBeGreaterThan(10);
  });
});

/** What a guide prints, where `…` stands for what differs from call to call. */
function expected(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) return expect.anything();
  if (Array.isArray(value)) return value.map(expected);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expected(one)]));
}
