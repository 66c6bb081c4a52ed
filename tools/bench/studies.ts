/** Longer measurements, run only when they are named: growth of the database, time, and overload. */
import { studyArchive } from './archive.ts';
import { studyCost } from './cost.ts';
import type { Figures } from './flow.ts';
import { growHistory } from './history.ts';
import { overloadLine, runOverload } from './overload.ts';
import type { Cluster } from './parts/postgres.ts';
import { type Preparation, serviceEndToEnd, serviceEndToEndRepeatedly } from './systems.ts';

export interface StudyOptions {
  cluster: Cluster | undefined;
  seconds: number;
  /** Sizes of the table of messages, ascending. */
  stored: readonly number[];
  minutes: number;
  /** Another checkout. */
  beside: string | undefined;
  rounds: number;
}

export interface Study {
  name: string;
  about: string;
  postgres: boolean;
  /** Its findings, one line each. */
  run: (options: StudyOptions) => Promise<string[]>;
}

const overload = (postgres: boolean): Study => ({
  name: `overload-${postgres ? 'postgres' : 'embedded'}`,
  about: 'ten times the capacity on 2,000 connections: latency, refusals and memory',
  postgres,
  run: async ({ cluster, seconds }) => [overloadLine(await runOverload(cluster, seconds))],
});

/** The fill drops and rebuilds indexes, so the service is stopped while it runs. */
const withHistory =
  (size: number): Preparation =>
  async (service, knex) => {
    if (knex === undefined) throw new Error('history is stored in PostgreSQL only');
    await service.stop();
    await growHistory(knex, size);
    await service.restart();
  };

const growth = (recipients: number): Study => ({
  name: `growth-${recipients}`,
  about: `end to end with ${recipients} recipients per request and --stored messages in PostgreSQL, compared with an empty one`,
  postgres: true,
  run: async ({ cluster, seconds, stored }) => {
    const figures = await serviceEndToEndRepeatedly({ commands: ['start'], cluster, recipients }, seconds, [
      async () => {},
      ...stored.map(withHistory),
    ]);
    return figures.map((one, index) =>
      compared(`${(stored[index - 1] ?? 0).toLocaleString('en')} stored`, one, figures[0]),
    );
  },
});

const sustained: Study = {
  name: 'sustained',
  about:
    'end to end with 100 recipients per request on PostgreSQL: the last of --minutes compared with the first',
  postgres: true,
  run: async ({ cluster, seconds, minutes }) => {
    const shape = { commands: ['start' as const], cluster, recipients: 100 };
    const first = await serviceEndToEnd(shape, seconds, {
      laterAfterSeconds: minutes * 60 - 2 * seconds,
    });
    return [
      compared('first minute', first, first),
      ...(first.later === undefined ? [] : [compared(`minute ${minutes}`, first.later, first)]),
    ];
  },
};

const archive: Study = {
  name: 'archive',
  about:
    'the first of --stored old messages leave for the archive while 500 a second are accepted on PostgreSQL',
  postgres: true,
  run: ({ cluster, seconds, stored: [first = 1_000_000] }) =>
    studyArchive({ cluster, seconds, stored: first }),
};

const cost = (recipients: number): Study => ({
  name: `cost-${recipients}`,
  about: `CPU and what PostgreSQL writes per message with ${recipients} recipients per request, warm; with --beside DIRECTORY also of that checkout, in turn`,
  postgres: true,
  run: ({ cluster, seconds, beside, rounds }) => {
    if (cluster === undefined) throw new Error('it needs PostgreSQL');
    return studyCost({ cluster, seconds, recipients, beside, rounds });
  },
});

export const studies: readonly Study[] = [
  cost(1),
  cost(100),
  growth(1),
  growth(100),
  sustained,
  overload(true),
  overload(false),
  archive,
];

function compared(what: string, figures: Figures, base: Figures | undefined): string {
  const ratio = base === undefined ? 1 : figures.messagesPerSecond / base.messagesPerSecond;
  const micros = (name: string) => Math.round(figures.cpu[name] ?? 0);
  return (
    `${what}: ${Math.round(figures.messagesPerSecond)} messages/s (${ratio.toFixed(2)}), ` +
    `CPU per message ${micros('start')} µs + database ${micros('database')} µs, ` +
    `other work ${figures.otherCores.toFixed(1)} cores`
  );
}
