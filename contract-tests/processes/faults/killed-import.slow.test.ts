/** Kills the service while it takes and reads a file of opt-outs: each line is read once, and what is no number is reported. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

const lines = Number(process.env.LINES ?? sized(20_000, 1_000_000));
const linesPerPart = Math.min(50_000, lines / 4);
const kills = sized(3, 10);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = createRandom(seed);

const isBad = (line: number) => line % 997 === 0;
const isRepeated = (line: number) => line % 1_499 === 0;
const numberOf = (line: number) => `+2547${10_000_000 + line}`;
const file = Array.from({ length: lines }, (_, line) =>
  isBad(line) ? 'nobody' : numberOf(isRepeated(line) ? 1 : line),
);
const bad = file.filter((line) => line === 'nobody').length;
const different = new Set(file).size - 1;

let service: Service;
beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' });
}, 120_000);
afterAll(() => service?.dispose());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Again until it is answered, as an operator would. */
async function operate(request: string, body?: object) {
  for (;;) {
    try {
      return (await service.operate(request, body)).body;
    } catch {
      await pause(200);
    }
  }
}

async function sendParts(): Promise<void> {
  for (let part = 1; part <= lines / linesPerPart; part += 1) {
    const text = file.slice((part - 1) * linesPerPart, part * linesPerPart).join('\n');
    await operate('POST /opt-outs/imports', {
      ...{ id: 'registry', part, lines: text, product: 'Sms', target: 'MARKETING' },
    });
  }
}

test(
  `SEED=${seed}: ${lines} lines, and ${kills} times kill -9`,
  async () => {
    const reads: number[] = [];
    const sending = sendParts();
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(random() * sized(1_500, 20_000));
      await service.kill();
      reads.push(
        await withStoredData(service, async (knex) => {
          const [{ read = 0 } = {}] = await rowsOf<{ read: number }>(
            knex,
            'select added + unchanged + invalid as read from opt_out_imports',
          );
          return read;
        }),
      );
      await service.restart();
    }
    await sending;
    // Else the test has lost its edge.
    expect(reads.some((read) => read < lines)).toBe(true);
    let shown = await operate('GET /opt-outs/imports/registry');
    for (; shown.read < lines; shown = await operate('GET /opt-outs/imports/registry')) {
      expect(shown.read).toBeGreaterThanOrEqual(Math.max(...reads));
      await pause(500);
    }
    expect(shown).toMatchObject({
      ...{ parts: lines / linesPerPart, lines, read: lines },
      ...{ added: different, unchanged: lines - bad - different, invalid: bad },
    });
    const places: { part: number; line: number }[] = shown.problems;
    expect(new Set(places.map(({ part, line }) => `${part} ${line}`)).size).toBe(Math.min(bad, 100));
    expect(places.filter(({ part, line }) => !isBad((part - 1) * linesPerPart + line - 1))).toEqual([]);

    await service.stop();
    await withStoredData(service, async (knex) => {
      expect(
        await rowsOf(
          knex,
          `select count(*)::integer as entries, count(distinct phone)::integer as numbers,
             (select count(*)::integer from opt_out_import_chunks) as waiting from opt_outs`,
        ),
      ).toEqual([{ entries: different, numbers: different, waiting: 0 }]);
    });
  },
  120_000 + kills * 40_000 + lines,
);
