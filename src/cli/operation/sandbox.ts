/** The command that runs a sandbox. */
import { command } from '../line/command.ts';
import { CommandError } from '../line/errors.ts';

export const sandboxCommands = [
  command({
    words: 'sandbox',
    about: 'run the service for tests of clients: in memory, with a clock and networks that tests control',
    prints: false,
    options: {
      port: {
        kind: 'number',
        min: 0,
        max: 65_535,
        about: 'port to listen on; 0 picks a free one; default: 4020',
      },
      host: { kind: 'text', about: 'address to listen on; default: 127.0.0.1' },
      'any-id': {
        kind: 'flag',
        about: 'accept any id of a service, campaign, number or template, not only those of the demo',
      },
      'smpp-port': {
        kind: 'number',
        min: 0,
        max: 65_535,
        value: 'port',
        about: 'also listen on this port as an SMSC (SMPP 3.4); 0 picks a free one',
      },
      'provider-port': {
        kind: 'number',
        min: 0,
        max: 65_535,
        value: 'port',
        about: 'also listen on this port as an SMS provider (HTTP), by preset; 0 picks a free one',
      },
      'provider-callback': {
        kind: 'text',
        value: 'url',
        about: 'where that provider calls that is not told with each message, such as africastalking',
      },
      seed: { kind: 'number', min: 0, max: 2 ** 31, about: 'selects the random numbers; default: 1' },
      'receipts-to': {
        kind: 'text',
        value: 'url',
        about: 'post all receipts to this URL, instead of the callbackUrl of their request',
      },
      numbers: {
        kind: 'text',
        value: 'file',
        about: 'scripts of numbers, as GET /sandbox/numbers returns them',
      },
    },
    async run({ port = 4020, host = '127.0.0.1', seed = 1, numbers, ...values }, { config }) {
      if (config.production) throw new CommandError('a sandbox does not run with NODE_ENV=production');
      // The other commands are quicker without what a service needs.
      const { runSandbox } = await import('../../partner/sandbox/run.ts');
      await runSandbox({
        port,
        host,
        seed,
        anyId: values['any-id'],
        smppPort: values['smpp-port'],
        providerPort: values['provider-port'],
        providerCallback: values['provider-callback'],
        receiptsTo: values['receipts-to'],
        numbersFile: numbers,
        logLevel: config.logLevel,
        logFormat: config.logFormat,
      });
      return undefined;
    },
  }),
];
