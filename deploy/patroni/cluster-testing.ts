/** Two PostgreSQL under Patroni, one etcd and HAProxy, with the configuration beside: started, hurt and ended. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/platform/free-port-testing.ts';

export interface Cluster {
  /** Of a database, through HAProxy, by the names of both servers, or of one alone. */
  url: (through: 'haproxy' | 'both servers' | Node, database: string) => string;
  /** The one that takes writes. */
  primary: () => Promise<Node>;
  standbyOf: (node: Node) => Node;
  /** Until one leads, and the other has all that is acknowledged. */
  untilWhole: () => Promise<void>;
  /** Until `node` leads. */
  untilPrimary: (node: Node) => Promise<void>;
  switchover: () => Promise<void>;
  /** Changes the dynamic configuration. */
  change: (configuration: object) => Promise<void>;
  /** kill -9 of PostgreSQL and its Patroni. */
  kill: (node: Node) => void;
  /** SIGSTOP and SIGCONT of both. */
  stop: (node: Node) => void;
  continue: (node: Node) => void;
  /** Starts its Patroni, which starts PostgreSQL. */
  start: (node: Node) => void;
  killEtcd: () => void;
  startEtcd: () => void;
  /** The parents of all that runs. */
  processes: () => { name: 'pg1' | 'pg2' | 'patroni' | 'etcd' | 'haproxy'; pid: number }[];
  /** Ends everything, and removes the directory. */
  close: () => void;
}

export interface Node {
  name: 'pg1' | 'pg2';
  /** Of PostgreSQL. */
  port: number;
  /** Of Patroni. */
  apiPort: number;
  data: string;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

const configuration = new URL('.', import.meta.url);
const password = 'failover';
const host = '127.0.0.1';
const lookEveryMs = 100;
/** PostgreSQL refuses to run as root. */
const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};

function idOf(what: string): number {
  return Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
}

/** Resolves once it is whole. `bin` has the programs of PostgreSQL; `directory` is removed when this process ends. */
export async function startCluster(bin: string, directory: string): Promise<Cluster> {
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid);
  const running = new Map<string, ChildProcess>();
  const start = (name: string, program: string, words: readonly string[], environment: object = {}) => {
    const log = openSync(join(directory, `${name}.log`), 'a');
    const child = spawn(program, words, {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8', ...environment },
      stdio: ['ignore', log, log],
      ...owner,
    });
    running.set(name, child);
  };
  const nodes: [Node, Node] = [await nodeIn(directory, 'pg1'), await nodeIn(directory, 'pg2')];
  const close = () => {
    process.off('exit', close);
    for (const child of running.values()) child.kill('SIGKILL');
    killAllOf(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once('exit', close);

  const etcd = { client: `http://${host}:${await freePort()}`, peer: `http://${host}:${await freePort()}` };
  const startEtcd = () =>
    start('etcd', 'etcd', [
      ...['--data-dir', join(directory, 'etcd'), '--log-level', 'error', '--enable-v2'],
      ...['--listen-client-urls', etcd.client, '--advertise-client-urls', etcd.client],
      ...['--listen-peer-urls', etcd.peer, '--initial-advertise-peer-urls', etcd.peer],
      ...['--initial-cluster', `default=${etcd.peer}`],
    ]);
  const file = join(directory, 'patroni.yml');
  writeFileSync(file, withSocketsIn(directory, read('patroni.yml')));
  const startNode = ({ name, port, apiPort, data }: Node) =>
    start(name, 'patroni', [file], {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `${host}:${apiPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:${apiPort}`,
      PATRONI_POSTGRESQL_LISTEN: `${host}:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: data,
      PATRONI_POSTGRESQL_BIN_DIR: bin,
      PATRONI_POSTGRESQL_PGPASS: join(directory, `${name}.pgpass`),
      // Not ETCD3: see patroni.yml.
      PATRONI_ETCD_HOSTS: `'${new URL(etcd.client).host}'`,
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: password,
    });

  const ask = async (path: string, method = 'GET', body?: object) => {
    for (const { apiPort } of nodes) {
      const answer = await fetch(`http://${host}:${apiPort}${path}`, {
        method,
        signal: AbortSignal.timeout(10_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      if (answer?.ok) return answer.text();
      await answer?.arrayBuffer();
    }
    return undefined;
  };
  const members = async (): Promise<Member[]> =>
    JSON.parse((await ask('/cluster')) ?? '{"members":[]}').members;
  const until = async (what: string, reached: () => Promise<boolean>) => {
    const deadlineMs = performance.now() + 150_000;
    while (!(await reached())) {
      if (performance.now() > deadlineMs) throw new Error(`${what}: not within 150 s\n${logs()}`);
      await delay(lookEveryMs);
    }
  };
  const logs = () =>
    [...running.keys()]
      .map((name) => `--- ${name}\n${readFileSync(join(directory, `${name}.log`), 'utf8').slice(-3_000)}`)
      .join('\n');
  const leads = async (node: Node) => {
    const answer = await fetch(`http://${host}:${node.apiPort}/primary`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  };
  const untilWhole = () =>
    until('a primary and its synchronous standby', async () => {
      const all = await members();
      const is = (role: string, state: RegExp) =>
        all.some((member) => member.role === role && state.test(member.state));
      return is('leader', /^running$/) && is('sync_standby', /^(running|streaming)$/);
    });
  const standbyOf = (node: Node) => (node === nodes[0] ? nodes[1] : nodes[0]);
  const primary = async () => {
    for (const node of nodes) if (await leads(node)) return node;
    throw new Error(`there is no primary\n${logs()}`);
  };

  startEtcd();
  for (const node of nodes) startNode(node);
  const proxyPort = await freePort();
  start('haproxy', 'haproxy', ['-db', '-f', new URL('haproxy.cfg', configuration).pathname], {
    LISTEN: `${host}:${proxyPort}`,
    PG1: `${host}:${nodes[0].port}`,
    PG1_PATRONI: String(nodes[0].apiPort),
    PG2: `${host}:${nodes[1].port}`,
    PG2_PATRONI: String(nodes[1].apiPort),
  });
  // By then HAProxy knows which one leads.
  await untilWhole();

  return {
    url: (through, database) => {
      const one = through === 'haproxy' ? proxyPort : through !== 'both servers' && through.port;
      const ports = one ? [one] : nodes.map(({ port }) => port);
      const hosts = ports.map((port) => `${host}:${port}`).join(',');
      const parameters = one ? '' : '?target_session_attrs=read-write';
      return `postgres://postgres:${password}@${hosts}/${database}${parameters}`;
    },
    primary,
    standbyOf,
    untilWhole,
    untilPrimary: (node) => until(`${node.name} as the primary`, () => leads(node)),
    switchover: async () => {
      const leader = await primary();
      const wanted = { leader: leader.name, candidate: standbyOf(leader).name };
      if ((await ask('/switchover', 'POST', wanted)) === undefined)
        throw new Error(`no switchover\n${logs()}`);
    },
    change: async (wanted) => {
      if ((await ask('/config', 'PATCH', wanted)) === undefined) throw new Error(`not changed\n${logs()}`);
    },
    kill: (node) => signal(running, node, 'SIGKILL'),
    stop: (node) => signal(running, node, 'SIGSTOP'),
    continue: (node) => signal(running, node, 'SIGCONT'),
    start: startNode,
    killEtcd: () => running.get('etcd')?.kill('SIGKILL'),
    startEtcd,
    processes: () => [
      ...nodes.map(({ name, data }) => ({ name, pid: postmasterOf(data) ?? 0 })),
      ...nodes.map(({ name }) => ({ name: 'patroni' as const, pid: running.get(name)?.pid ?? 0 })),
      ...(['etcd', 'haproxy'] as const).map((name) => ({ name, pid: running.get(name)?.pid ?? 0 })),
    ],
    close,
  };
}

async function nodeIn(directory: string, name: Node['name']): Promise<Node> {
  const home = join(directory, name);
  mkdirSync(home, { mode: 0o700 });
  if (owner.uid !== undefined) chownSync(home, owner.uid, owner.gid);
  return { name, port: await freePort(), apiPort: await freePort(), data: join(home, 'data') };
}

function read(file: string): string {
  return readFileSync(new URL(file, configuration), 'utf8');
}

/** Without rights beside the directory. */
function withSocketsIn(directory: string, patroni: string): string {
  return patroni.replace(
    /^postgresql:$/m,
    // mmap: what is killed leaves nothing in the system's shared memory.
    `postgresql:\n  parameters:\n    unix_socket_directories: '${directory}'\n    dynamic_shared_memory_type: mmap`,
  );
}

/** Patroni first: it would start PostgreSQL again. */
function signal(running: Map<string, ChildProcess>, { name, data }: Node, what: NodeJS.Signals): void {
  running.get(name)?.kill(what);
  const postmaster = postmasterOf(data);
  if (postmaster === undefined) return;
  for (const pid of [postmaster, ...childrenOf(postmaster)]) tell(pid, what);
}

/** Undefined if it does not run, also where another process has its pid now. */
function postmasterOf(data: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return commandOf(pid).includes(data) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Every process that was started with a path in the directory: Patroni leaves behind what it was just starting. */
function killAllOf(directory: string): void {
  for (let pids = [0]; pids.length > 0; ) {
    pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && commandOf(Number(name)).includes(directory))
      .map(Number);
    for (const pid of pids.flatMap((one) => [one, ...childrenOf(one)])) tell(pid, 'SIGKILL');
  }
}

function tell(pid: number, what: NodeJS.Signals): void {
  try {
    process.kill(pid, what);
  } catch {
    // It has ended meanwhile.
  }
}

/** Empty if it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return list === '' ? [] : list.split(' ').map(Number);
  } catch {
    return [];
  }
}
