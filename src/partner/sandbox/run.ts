/** Runs a sandbox as a process: reads its scripts, prints its credentials, and ends on a signal. */

import { warnOfNeighbours } from '../../http/front/own-hosts.ts';
import { openDatabase } from '../../platform/db/knex.ts';
import { createLog, type LogFormat } from '../../platform/log.ts';
import { createShutdown } from '../../process/shutdown.ts';
import { readNumberFile } from './number-file.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';

interface RunOptions extends Omit<SandboxOptions, 'scripts'> {
  /** Holds the scripts of numbers. */
  numbersFile: string | undefined;
  logLevel: string;
  logFormat: LogFormat;
}

const graceMs = 5_000;

/** Resolves when it can be called. Rejects if it cannot start. */
export async function runSandbox({
  numbersFile,
  logLevel,
  logFormat,
  ...options
}: RunOptions): Promise<void> {
  const scripts = numbersFile === undefined ? {} : readNumberFile(numbersFile);
  // Of the service's log only warnings are useful to a test.
  const log = createLog(logLevel === 'info' ? 'warn' : logLevel, logFormat);
  const shutdown = createShutdown(log, { graceMs, startedByNpm: false });
  const database = await openDatabase(
    { databaseUrl: undefined, dataDirectory: undefined, poolSize: 1 },
    log.logger,
    (error) => {
      log.logger.fatal({ err: error }, 'embedded database stopped unexpectedly');
      void shutdown.exit(1);
    },
  );
  const sandbox = await startSandbox({ ...options, scripts }, database, log.logger);
  shutdown.add(sandbox);
  warnOfNeighbours(log.logger, options.host);
  process.stdout.write(greeting(sandbox));
}

function greeting({ description, smppPort, providerPort }: Sandbox): string {
  const { baseUrl, clientId, clientSecret, signingSecret } = description;
  return `The sandbox is ready. Nothing is stored on disk; Ctrl-C ends it.

  TARISHI_URL=${baseUrl}
  TARISHI_CLIENT_ID=${clientId}
  TARISHI_CLIENT_SECRET=${clientSecret}
  TARISHI_SIGNING_SECRET=${signingSecret}

Control it at ${baseUrl}/sandbox, as spec/sandbox.yaml describes.${smppPort === undefined ? '' : ` Its SMSC is on port ${smppPort}.`}${providerPort === undefined ? '' : ` Its SMS provider is on port ${providerPort}.`}
`;
}
