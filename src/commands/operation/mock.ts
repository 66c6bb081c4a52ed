/** The command that runs the mock. */
import { command } from '../line/command.ts';

export const mockCommands = [
  command({
    words: 'mock',
    about: 'respond with the examples of the document and post signed receipts, without a database',
    prints: false,
    options: {
      port: { kind: 'number', min: 0, max: 65_535, about: 'port to listen on; 0 picks a free one (4010)' },
      host: { kind: 'text', about: 'address to listen on (127.0.0.1)' },
      dynamic: { kind: 'flag', about: 'respond with random values that fit the document' },
    },
    async run({ port = 4010, host = '127.0.0.1', dynamic }, { config }) {
      // The other commands are quicker without what a mock needs.
      const { runMock } = await import('../../mock/run.ts');
      const { logLevel, logFormat, startedByNpm } = config;
      await runMock({ port, host, dynamic, logLevel, logFormat, startedByNpm });
      return undefined;
    },
  }),
];
