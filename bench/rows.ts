/** The rows of the benchmark: what runs, and what it is compared with in the same run. */
import type { Figures } from './flow.ts';
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
export type Baseline = keyof typeof baselines;

export interface Row {
  name: string;
  about: string;
  against: readonly Baseline[];
  postgres: boolean;
  run: (cluster: Cluster | undefined, seconds: number) => Promise<Figures>;
}

const oneProcess: readonly Command[] = ['start'];
const twoProcesses: readonly Command[] = ['serve', 'work'];

export const rows: readonly Row[] = [
  ...[1, 100].flatMap((recipients) => [
    endToEnd(recipients, 'postgres', oneProcess),
    endToEnd(recipients, 'postgres', twoProcesses),
    endToEnd(recipients, 'embedded', oneProcess),
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
  const per = recipients === 1 ? '1 recipient' : `${recipients} recipients`;
  return `${per} per request, ${database === 'embedded' ? 'embedded database' : 'PostgreSQL'}, ${commands
    .map((command) => `\`${command}\``)
    .join(' + ')}`;
}
