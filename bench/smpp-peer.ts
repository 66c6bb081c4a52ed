/** The SMSC of the SMPP benchmarks, as a process of its own: takes everything; with `reports`, delivers it too. */
import { createServer } from 'node:net';
import { pino } from 'pino';
import { createLink } from '../src/connectors/smpp/session/link.ts';
import { systemTimers } from '../src/connectors/smpp/session/timers.ts';
import { listenAsSmsc } from '../src/connectors/smpp/smsc/smsc.ts';

if (process.argv[2] === 'reports') {
  const report = { state: 'DELIVRD', error: '000', afterMs: 0 } as const;
  const { port } = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: systemTimers,
    logger: pino({ level: 'silent' }),
    admit: () => 0,
    answer: async () => ({ status: 0, report }),
  });
  process.send?.({ port });
} else takeAll();

/** As little as an SMSC can do: no binds, no reports. */
function takeAll(): void {
  let count = 0;
  const server = createServer((socket) => {
    const link = createLink(socket, {
      timers: systemTimers,
      responseTimeoutMs: 60_000,
      enquireEveryMs: 600_000,
      enquireDeadlineMs: 60_000,
      onRequest: (request) => {
        count += 1;
        link.respond(request, 0, { systemId: 'bench', messageId: count.toString(16), tlvs: [] });
      },
      onClosed: () => {},
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
  });
}
