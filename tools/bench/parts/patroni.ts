/** PostgreSQL as deploy/patroni runs it: a primary whose commits wait for its standby. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../../deploy/patroni/cluster-testing.ts';
import type { Cluster } from './postgres.ts';

/** Undefined where it, etcd or HAProxy is not installed. */
export function patroniVersion(): string | undefined {
  const versionOf = (program: string, option: string): string | undefined => {
    const { stdout, status } = spawnSync(program, [option], { encoding: 'utf8' });
    return status === 0 ? (/\d[\d.]*/.exec(stdout)?.[0] ?? 'of unknown version') : undefined;
  };
  const others = [versionOf('etcd', '--version'), versionOf('haproxy', '-v')];
  return others.includes(undefined) ? undefined : versionOf('patroni', '--version');
}

/** On the disk, as the other one; the service connects to the primary, without a proxy between. */
export async function startReplicated({ bin, version }: Cluster): Promise<Cluster> {
  const cluster = await startCluster(bin, mkdtempSync(join(tmpdir(), 'tarishi-bench-patroni-')));
  const primary = await cluster.primary();
  const nameOf = { [primary.name]: 'database', [cluster.standbyOf(primary).name]: 'standby' };
  return {
    url: cluster.url(primary, 'postgres'),
    version,
    bin,
    processes: cluster.processes().map(({ name, pid }) => ({ name: nameOf[name] ?? 'patroni', pid })),
    stop: async () => cluster.close(),
  };
}
