/** The commands and samples of the pages, run against the demo service as they are shown, get what the pages say. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Call, readCall } from '../../src/docs/samples/call.ts';
import { languages } from '../../src/docs/samples/languages.ts';
import { writtenPages } from '../../src/docs/site/catalogue.ts';
import { demoDocsLink } from '../../src/http/routes/demo-visitor.ts';
import { type Example, examplesInText } from '../support/docs/guides.ts';
import { hasLanguage, runners, runPrograms } from '../support/docs/programs.ts';
import { expectShown, missingTools, paste } from '../support/docs/shell.ts';
import { call, tokenFor } from '../support/service/api.ts';
import { type Service, startService } from '../support/service/service.ts';

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

/** Those whose samples have the address of the service; others show commands for operators, and have tests of their own. */
const pages = writtenPages.filter(({ isPersonal }) => isPersonal).map(({ name }) => name);

/** A command, and the block after it. */
interface Command {
  text: string;
  shown: Example | undefined;
}

let service: Service;
const commands = new Map<string, Command[]>();

beforeAll(async () => {
  // Six languages send all samples within a second or two.
  service = await startService({ RATE_LIMIT_PER_SECOND: '1000000' });
  const { baseUrl } = service.demo;
  const opened = await fetch(demoDocsLink(baseUrl, service.demo) ?? '', { redirect: 'manual' });
  const headers = { cookie: opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
  for (const page of pages) {
    const { text } = await call(baseUrl, `/docs/${page}.md`.replace('/.md', '.md'), {
      method: 'GET',
      headers,
    });
    const examples = examplesInText(text);
    const found = examples.flatMap((example, place) =>
      example.language === 'sh' && !('run' in example.attributes)
        ? [{ text: example.text, shown: examples[place + 1] }]
        : [],
    );
    commands.set(page, found);
  }
});
afterAll(() => service?.dispose());

withTools('the commands of', () => {
  test.each(pages)('/docs/%s', async (page) => {
    const own = commands.get(page) ?? [];
    const variables = { TOKEN: await tokenFor(service.demo.baseUrl, service.demo) };
    const outputs = paste(
      own.map(({ text }) => text),
      // They may write files.
      { cwd: tmpdir(), variables },
    );
    own.forEach(({ shown }, place) => {
      expectShown(outputs[place] ?? '', shown);
    });
  });

  test('there are some', () => {
    expect([...commands.values()].flat().length).toBeGreaterThan(20);
  });
});

describe('the samples in', () => {
  interface Sample extends Command {
    call: Call;
  }

  const samples = (): Sample[] => [
    ...new Map(
      [...commands.values()].flat().flatMap((command) => {
        const found = readCall(command.text);
        return found === undefined ? [] : [[command.text, { ...command, call: found }] as const];
      }),
    ).values(),
  ];

  test.each(languages.filter(({ write }) => write !== undefined))('$name', async ({ id, name, write }) => {
    const runner = runners[id];
    if (runner === undefined || !hasLanguage(runner)) {
      process.stdout.write(`skipped: ${name} is not on this machine\n`);
      return;
    }
    const all = samples();
    expect(all.length).toBeGreaterThan(15);
    const programs = all.map((one) => write?.(one.call) ?? '');
    const token = await tokenFor(service.demo.baseUrl, service.demo);
    const outputs = runPrograms(runner, programs, { TOKEN: token });
    expect(outputs).toHaveLength(all.length);
    all.forEach(({ call: { prints }, shown }, place) => {
      const output = outputs[place] ?? '';
      if (prints === undefined) expectShown(output, shown);
      else expect(output).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    });
  });
});
