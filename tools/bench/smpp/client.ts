/** One client of the SMPP benchmark, as a process of its own: keeps a window full and says what that cost. */
import { connect } from 'node:net';
import { npmSmpp } from '../../../src/connectors/smpp/peers/npm-smpp-testing.ts';
import { createLink } from '../../../src/connectors/smpp/session/link.ts';
import { createPool } from '../../../src/connectors/smpp/session/pool.ts';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';

export interface ClientRun {
  client: 'ours' | 'npm';
  port: number;
  window: number;
  messages: number;
}

export interface ClientResult {
  seconds: number;
  /** User and system time of this process while it sent. */
  cpuSeconds: number;
}

const text = 'Habari ya asubuhi, hii ni ujumbe wa majaribio.';

/** Returns a function that sends one message and calls back when its response arrives. */
const clients: Record<ClientRun['client'], (run: ClientRun) => Promise<(done: () => void) => void>> = {
  ours: ({ port, window }) =>
    new Promise((resolve) => {
      const pool = createPool({ window, rate: 1_000_000 }, systemTimers, {
        throttled: () => {},
        failed: () => {},
      });
      const socket = connect(port, '127.0.0.1', () => {
        const link = createLink(socket, {
          timers: systemTimers,
          responseTimeoutMs: 60_000,
          enquireEveryMs: 600_000,
          enquireDeadlineMs: 60_000,
          onRequest: () => {},
          onClosed: () => {},
        });
        pool.add(link);
        const octets = Buffer.from(text);
        resolve((done) =>
          pool.submit({
            deadlineMs: Number.POSITIVE_INFINITY,
            fields: {
              serviceType: '',
              source: { ton: 5, npi: 0, number: 'TARISHI' },
              destination: { ton: 1, npi: 1, number: '254711000000' },
              esmClass: 0,
              protocolId: 0,
              priority: 0,
              scheduledAt: '',
              validityPeriod: '',
              registeredDelivery: 1,
              replaceIfPresent: 0,
              dataCoding: 0,
              defaultMessageId: 0,
              text: octets,
              tlvs: [],
            },
            onDone: () => {
              done();
              return undefined;
            },
          }),
        );
      });
    }),
  npm: ({ port }) =>
    new Promise((resolve) => {
      const session = npmSmpp.connect({ url: `smpp://127.0.0.1:${port}` }, () => {
        const octets = Buffer.from(text);
        resolve((done) =>
          session.submit_sm(
            {
              source_addr_ton: 5,
              source_addr: 'TARISHI',
              dest_addr_ton: 1,
              dest_addr_npi: 1,
              destination_addr: '254711000000',
              registered_delivery: 1,
              short_message: octets,
            },
            done,
          ),
        );
      });
    }),
};

async function measure(run: ClientRun): Promise<ClientResult> {
  const submit = await clients[run.client](run);
  await send(submit, run.window, Math.min(run.messages, 20_000));
  const startedMs = performance.now();
  const before = process.cpuUsage();
  await send(submit, run.window, run.messages);
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: (user + system) / 1_000_000 };
}

/** Keeps exactly `window` messages without a response. */
function send(submit: (done: () => void) => void, window: number, messages: number): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0;
    let answered = 0;
    const next = () => {
      sent += 1;
      submit(() => {
        answered += 1;
        if (answered === messages) resolve();
        else if (sent < messages) next();
      });
    };
    for (let one = 0; one < window; one += 1) next();
  });
}

process.on('message', (run: ClientRun) => {
  void measure(run).then((result) => process.send?.(result));
});
