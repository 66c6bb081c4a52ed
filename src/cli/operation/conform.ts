/** The command that tests a client or a receiver of a partner. */
import { command } from '../line/command.ts';
import { CommandError } from '../line/errors.ts';

const patience = { min: 1, max: 60 };
const parallel = { min: 1, max: 15 };

export const conformCommands = [
  command({
    words: 'conform',
    about: 'test your client, or your receiver, in every situation that it must survive',
    rest: 'command',
    prints: false,
    options: {
      receiver: {
        kind: 'text',
        value: 'url',
        about: 'test the receiver at this URL; the command, if any, runs it',
      },
      inbound: { kind: 'flag', about: 'post messages that people send to the receiver, instead of receipts' },
      count: { kind: 'text', value: 'url', about: 'where the receiver says how many posts took effect' },
      only: { kind: 'list', value: 'situation', about: 'only this situation' },
      list: { kind: 'flag', about: 'list the situations' },
      junit: { kind: 'text', value: 'file', about: 'write the results to this file as JUnit XML' },
      patience: {
        kind: 'number',
        value: 'seconds',
        ...patience,
        about: 'how long a client may wait for a response (40), or a receiver may take (10)',
      },
      parallel: {
        kind: 'number',
        value: 'count',
        ...parallel,
        about: 'how many situations of a client run at a time; default: 4',
      },
    },
    async run(
      { receiver, inbound, count, only, list, junit, patience: seconds, parallel: atATime, rest },
      { environment },
    ) {
      // The other commands are quicker without what a sandbox needs.
      const { conformClient, conformReceiver, listSituations } = await import('../../partner/conform/run.ts');
      if (list) {
        const lines = listSituations().map(
          ({ tests, name, title }) => `${tests.padEnd(10)}${name.padEnd(18)}${title}\n`,
        );
        process.stdout.write(lines.join(''));
        return undefined;
      }
      const options = { command: { words: rest, environment }, only, junitFile: junit };
      if (receiver !== undefined) {
        if (!URL.canParse(receiver)) throw new CommandError('--receiver must be a URL');
        await conformReceiver({
          ...options,
          receiverUrl: receiver,
          countUrl: count,
          inbound,
          patienceSeconds: seconds ?? 10,
        });
      } else {
        if (inbound) throw new CommandError('--inbound needs --receiver with the URL to post to');
        if (rest.length === 0)
          throw new CommandError('write the command that sends behind --, such as -- npm test');
        await conformClient({ ...options, patienceSeconds: seconds ?? 40, parallel: atATime ?? 4 });
      }
      return undefined;
    },
  }),
];
