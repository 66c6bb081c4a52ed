/** Debian's Kannel as an ESME bound to the simulated SMSC: it sends, and gets the delivery report. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../connectors/simulators/published-scripts.ts';
import { withPeer } from '../../../connectors/smpp/peers/installed-testing.ts';
import { startKannel } from './kannel-testing.ts';
import { startSimulatedSmsc } from './simulated.ts';

const test = withPeer('kannel', 'bearerbox', ['--version']);

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

test('a message of three parts is accepted, and each outcome is reported', async () => {
  const smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    publishedScripts.sms,
    pino({ level: 'silent' }),
  );
  ends.push(smsc.close);
  const heard: URLSearchParams[] = [];
  const listener = createServer((request, response) => {
    heard.push(new URL(request.url ?? '/', 'http://localhost').searchParams);
    response.end();
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => listener.close());
  const kannel = await startKannel({ smscPort: smsc.port });
  ends.push(kannel.close);

  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : 0;
  for (const to of ['254711001000', '254711000006']) {
    const query = new URLSearchParams({
      username: 'trial',
      password: 'trial',
      from: 'TRIAL',
      to,
      text: 'Habari ya asubuhi. '.repeat(20),
      'dlr-mask': '31',
      'dlr-url': `http://127.0.0.1:${port}/?to=${to}&kind=%d&answer=%A`,
    });
    const sent = await fetch(`${kannel.url}/cgi-bin/sendsms?${query}`);
    expect([sent.status, await sent.text()]).toEqual([202, expect.stringContaining('Accepted')]);
  }
  // Kannel's kinds: 1 delivered, 2 not delivered, 8 taken by the SMSC.
  await untilHeard(
    () => kinds('254711001000').includes('1') && kinds('254711000006').includes('2'),
    () => [...heard.map(String), ...kannel.output].join('\n'),
  );
  expect(kinds('254711001000')).toContain('8');
  expect(kinds('254711001000')).not.toContain('2');

  function kinds(to: string): (string | null)[] {
    return heard.filter((one) => one.get('to') === to).map((one) => one.get('kind'));
  }
});

async function untilHeard(holds: () => boolean, what: () => string): Promise<void> {
  const deadlineMs = performance.now() + 150_000;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`the reports did not come:\n${what()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
