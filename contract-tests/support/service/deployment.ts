/** Starts processes of a deployment one by one: several on one PostgreSQL, or one without demo data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../src/free-port-testing.ts';
import { operatorPorts } from './metrics.ts';
import { nodeOptions, processEnvironment, type Service } from './service.ts';

export interface Beside {
  baseUrl: string;
  /** Where it serves health, readiness and metrics. */
  metricsUrl: string;
  process: ChildProcess;
  output: () => string;
  /** SIGTERM, then the exit code. */
  stop: () => Promise<number | null>;
  /** SIGKILL. */
  kill: () => Promise<void>;
}

/** The same database, secret key and issuer as the service; an address of its own. */
export async function startBeside(
  service: Service,
  command: 'serve' | 'work',
  settings: Record<string, string> = {},
): Promise<Beside> {
  return startProcess(command, {
    PUBLIC_URL: service.demo.baseUrl,
    DATA_DIR: service.dataDirectory,
    DATABASE_URL: service.databaseUrl,
    ...settings,
  });
}

/** Resolves when the process says it is ready. */
export async function startProcess(
  command: 'start' | 'serve' | 'work',
  settings: Record<string, string | undefined>,
): Promise<Beside> {
  const port = await freePort();
  const { settings: ports, metricsUrl } = await operatorPorts();
  const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', command], {
    cwd: new URL('../../..', import.meta.url),
    env: { ...processEnvironment, PORT: String(port), ...ports, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        output += bytes;
        if (output.includes('"msg":"ready"')) resolve();
      });
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${output}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    metricsUrl,
    process: child,
    output: () => output,
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
    kill: () => end('SIGKILL'),
  };
}
