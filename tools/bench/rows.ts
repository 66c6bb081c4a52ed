/** The rows of the benchmark: what runs, and what it is compared with in the same run. */
import type { Figures } from './flow.ts';
import { startReplicated } from './parts/patroni.ts';
import type { Cluster } from './parts/postgres.ts';
import type { Command } from './parts/service.ts';
import {
  bareKoa,
  kannelAcceptance,
  kannelEndToEnd,
  type Shape,
  serviceAcceptance,
  serviceEndToEnd,
} from './systems.ts';

export const baselines = {
  'Kannel end to end': kannelEndToEnd,
  'Kannel acceptance': kannelAcceptance,
  'bare Koa': bareKoa,
} satisfies Record<string, (seconds: number) => Promise<Figures>>;
type Baseline = keyof typeof baselines;

export const isBaseline = (name: string): name is Baseline => Object.hasOwn(baselines, name);

export interface Row {
  name: string;
  about: string;
  /** Baselines and other rows, measured in the same run. */
  against: readonly string[];
  postgres: boolean;
  /** It needs Patroni too. */
  patroni?: boolean;
  run: (cluster: Cluster | undefined, seconds: number) => Promise<Figures>;
}

const oneProcess: readonly Command[] = ['start'];
const twoProcesses: readonly Command[] = ['serve', 'work'];

export const rows: readonly Row[] = [
  ...[1, 100].flatMap((recipients) => [
    endToEnd(recipients, 'postgres', oneProcess),
    endToEnd(recipients, 'postgres', twoProcesses),
    endToEnd(recipients, 'embedded', oneProcess),
    replicated(recipients),
  ]),
  ...[1, 100].flatMap((recipients) => [
    acceptance(recipients, 'postgres', ['serve']),
    acceptance(recipients, 'postgres', ['serve', 'serve']),
    acceptance(recipients, 'embedded', ['start']),
  ]),
];

type DatabaseKind = 'postgres' | 'embedded';

function endToEnd(recipients: number, database: DatabaseKind, commands: readonly Command[]): Row {
  return {
    name: `end-to-end-${recipients}-${database}${commands.length > 1 ? '-split' : ''}`,
    about: `accept → SMPP → report → callback, ${described(recipients, database, commands)}`,
    against: ['Kannel end to end'],
    postgres: database === 'postgres',
    run: (cluster, seconds) => serviceEndToEnd(shapeOf(recipients, cluster, commands), seconds),
  };
}

/** As deploy/patroni has it, beside the same with one PostgreSQL. */
function replicated(recipients: number): Row {
  return {
    name: `end-to-end-${recipients}-patroni`,
    about: `accept → SMPP → report → callback, ${perRequest(recipients)}, PostgreSQL under Patroni with a synchronous standby, \`start\``,
    against: [`end-to-end-${recipients}-postgres`],
    postgres: true,
    patroni: true,
    run: async (single, seconds) => {
      if (single === undefined) throw new Error('PostgreSQL is not there');
      const cluster = await startReplicated(single);
      try {
        return await serviceEndToEnd(shapeOf(recipients, cluster, oneProcess), seconds);
      } finally {
        await cluster.stop();
      }
    },
  };
}

function acceptance(recipients: number, database: DatabaseKind, commands: readonly Command[]): Row {
  return {
    name: `accept-${recipients}-${database}${commands.length > 1 ? `-${commands.length}` : ''}`,
    about: `acceptance, ${described(recipients, database, commands)}`,
    against: ['Kannel acceptance', ...(recipients === 1 ? (['bare Koa'] as const) : [])],
    postgres: database === 'postgres',
    run: (cluster, seconds) => serviceAcceptance(shapeOf(recipients, cluster, commands), seconds),
  };
}

function shapeOf(recipients: number, cluster: Cluster | undefined, commands: readonly Command[]): Shape {
  return { recipients, cluster, commands };
}

function described(recipients: number, database: DatabaseKind, commands: readonly Command[]): string {
  return `${perRequest(recipients)}, ${database === 'embedded' ? 'embedded database' : 'PostgreSQL'}, ${commands
    .map((command) => `\`${command}\``)
    .join(' + ')}`;
}

function perRequest(recipients: number): string {
  return `${recipients === 1 ? '1 recipient' : `${recipients} recipients`} per request`;
}
