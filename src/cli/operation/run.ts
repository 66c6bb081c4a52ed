/** Commands that run the service or a part of it. */
import type { Parts } from '../../process/start.ts';
import { type Command, command } from '../line/command.ts';
import { CommandError } from '../line/errors.ts';

export const runCommands = [
  part('start', 'run the whole service in one process (npm start)', { api: true, worker: true }),
  part('serve', 'run only the HTTP API; needs DATABASE_URL', { api: true, worker: false }),
  part('work', 'run only delivery and receipts; needs DATABASE_URL', { api: false, worker: true }),
  part('migrate', 'create or update the tables and exit', { api: false, worker: false }),
];

function part(words: string, about: string, parts: Parts): Command {
  return command({
    words,
    about,
    prints: false,
    async run(_values, { config }) {
      if (parts.api !== parts.worker && config.databaseUrl === undefined)
        throw new CommandError(
          `${words} needs DATABASE_URL: the embedded database serves only one process (npm start)`,
        );
      if (parts.api && config.production && config.publicUrl === undefined)
        throw new CommandError(
          `${words} needs PUBLIC_URL in production: it is the address for clients and the issuer of tokens`,
        );
      // The other commands are quicker without what a service needs.
      const { runService } = await import('../../process/start.ts');
      await runService(config, parts);
      return undefined;
    },
  });
}
