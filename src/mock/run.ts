/** Runs the mock as a process, and ends it on a signal. */
import { systemClock } from '../clock.ts';
import { publishedSecrets } from '../demo/published-secrets.ts';
import { loadDocument } from '../http/contract/document.ts';
import { createLog, type LogFormat } from '../log.ts';
import { createShutdown } from '../process/shutdown.ts';
import { createCallbackClient } from '../receipts/callback/client.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { startMockFront } from './front.ts';
import { startJudge } from './judge.ts';
import { startPrism } from './prism.ts';
import { createReceiptPoster } from './receipts.ts';

export interface MockOptions {
  port: number;
  host: string;
  dynamic: boolean;
  logLevel: string;
  logFormat: LogFormat;
  startedByNpm: boolean;
}

const graceMs = 5_000;

/** Resolves when it can be called. Rejects if it cannot start. */
export async function runMock({
  port,
  host,
  dynamic,
  logLevel,
  logFormat,
  startedByNpm,
}: MockOptions): Promise<void> {
  const log = createLog(logLevel === 'info' ? 'warn' : logLevel, logFormat);
  const shutdown = createShutdown(log, { graceMs, startedByNpm });
  const document = loadDocument();
  const prism = await startPrism(document, {
    dynamic,
    onExit: () => {
      log.logger.fatal('Prism stopped unexpectedly');
      void shutdown.exit(1);
    },
  });
  shutdown.add(prism);
  const judge = await startJudge(document, log.logger);
  const client = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
  const postReceipts = createReceiptPoster({
    client,
    clock: systemClock,
    onPosted: (line) => process.stdout.write(`${line}\n`),
  });
  const address = { host, port, settings: { host: '--host', port: '--port' } };
  const front = await startMockFront({ document, judge, prism, dynamic, postReceipts }, address);
  shutdown.add({
    stop: async () => {
      await front.close();
      await judge.stop({ drainMs: 0, graceMs: 1_000 });
      await client.close();
    },
  });
  process.stdout.write(greeting(`http://${host}:${front.port}`));
}

function greeting(baseUrl: string): string {
  return `The mock is ready at ${baseUrl}. It stores nothing; Ctrl-C ends it.

  TARISHI_URL=${baseUrl}
  TARISHI_CLIENT_ID=demo
  TARISHI_CLIENT_SECRET=anything
  TARISHI_SIGNING_SECRET=${publishedSecrets.signingSecret}

`;
}
