/** The blocks of docs/live-channel.md in order: by commands on the embedded database, by the management API on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import {
  type SimulatedProvider,
  startSimulatedProvider,
} from '../../../src/connectors/simulators/http-provider.ts';
import { publishedScripts } from '../../../src/connectors/simulators/published-scripts.ts';
import { createFreshDatabase, type FreshUrl } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { examplesIn } from '../../support/docs/guides.ts';
import { runBlocks } from '../../support/docs/session.ts';
import { expectShown, missingTools } from '../../support/docs/shell.ts';
import { processEnvironment } from '../../support/service/process.ts';

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

const examples = examplesIn('docs/live-channel.md');
const serverUrl = process.env.DATABASE_URL;
const callbackSecret = 'behind-the-address-0123456789abcdef';

let directory: string;
let database: FreshUrl | undefined;
let provider: SimulatedProvider;
/** The numbers that it was sent messages for. */
let taken: string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-live-'));
  database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
});
afterEach(async () => {
  await provider?.close();
  await database?.drop();
  rmSync(directory, { recursive: true });
});

withTools('from an empty production database to an SMS that is found again by phone number', () => {
  test('step by step', async () => {
    const [port, management, metrics] = [await freePort(), await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    taken = [];
    provider = await startSimulatedProvider(
      { host: '127.0.0.1', port: 0 },
      {
        scriptOf: (phone) => {
          taken.push(phone);
          return publishedScripts.sms(phone);
        },
        callbackUrl: `${url}/inbound/africastalking/${callbackSecret}`,
        logger: pino({ level: 'silent' }),
      },
    );
    const baseUrl = `http://127.0.0.1:${provider.port}/africastalking`;
    const blocks = examples.filter(({ language }) => language === 'sh');
    const outputs = await runBlocks(blocks, {
      cwd: directory,
      embedded: serverUrl === undefined,
      variables: {
        ...(processEnvironment as Record<string, string>),
        PORT: String(port),
        METRICS_PORT: String(metrics),
        MANAGEMENT_PORT: String(management),
        DRAIN_DELAY_MS: '0',
      },
      instead: [
        ['https://sms.example.com', url],
        ['http://127.0.0.1:3001', `http://127.0.0.1:${management}`],
        ['export DATABASE_URL=postgres://tarishi:…@db.internal/tarishi', exported(database)],
        ['PROVIDER_KEY=…', 'PROVIDER_KEY=canary'],
        ['"$(openssl rand -hex 24)"', callbackSecret],
        ['--username acme', `--username acme --base-url ${baseUrl}`],
        ['"username":"acme"', `"username":"acme","baseUrl":"${baseUrl}"`],
      ],
    });
    outputs.forEach((output, place) => {
      expectShown(output, examples[examples.indexOf(blocks[place] as (typeof blocks)[number]) + 1]);
    });
    expect(JSON.parse(outputs.at(-1) ?? '').items).toMatchObject([
      {
        phone: '+254711000000',
        state: 'Delivered',
        timeline: [{ event: 'Accepted' }, { event: 'Submitted' }, { event: 'Reported', state: 'Delivered' }],
      },
    ]);
    expect(taken).toEqual(['+254711000000']);
  }, 600_000);
});

function exported(one: FreshUrl | undefined): string {
  return one === undefined ? '' : `export DATABASE_URL=${one.url}`;
}
