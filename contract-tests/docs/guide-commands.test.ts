/** The commands of the guides, run against the demo service, return what the guides show. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guideOrder } from '../../src/docs/guides.ts';
import { examplesOf } from '../support/docs/guides.ts';
import { expectShown, missingTools, paste } from '../support/docs/shell.ts';
import { type Service, startService } from '../support/service/service.ts';

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

const isCommand = ({ language, attributes }: { language: string; attributes: object }) =>
  language === 'sh' && !('run' in attributes);

/** Gets the token that all other guides use. */
const [token] = examplesOf('first-message').filter(isCommand);

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
    const variables = { BASE: service.demo.baseUrl, CLIENT_SECRET: service.demo.clientSecret };
    const outputs = paste([token?.text ?? '', ...commands.map(({ command }) => command)], {
      variables,
    }).slice(1);
    expect(outputs).toHaveLength(commands.length);
    commands.forEach(({ answer }, place) => {
      expectShown(outputs[place] ?? '', answer);
    });
  });

  test('there are some', () => {
    expect(guideOrder.flatMap(examplesOf).filter(isCommand).length).toBeGreaterThan(10);
  });
});
