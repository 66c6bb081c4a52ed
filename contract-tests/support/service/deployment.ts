/** Starts processes of a deployment one by one: several on one PostgreSQL, or one without demo data. */
import type { ChildProcess } from 'node:child_process';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { operatorPorts } from './metrics.ts';
import { startOwnProcess } from './process.ts';
import type { Service } from './service.ts';

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
  folder?: string,
): Promise<Beside> {
  const own = {
    PUBLIC_URL: service.demo.baseUrl,
    DATA_DIR: service.dataDirectory,
    DATABASE_URL: service.databaseUrl,
  };
  return startProcess(command, { ...own, ...settings }, folder);
}

/** Resolves when the process is ready; `folder` has its code, if not this one. */
export async function startProcess(
  command: 'start' | 'serve' | 'work',
  settings: Record<string, string | undefined>,
  folder?: string,
): Promise<Beside> {
  const port = await freePort();
  const { settings: ports, metricsUrl } = await operatorPorts();
  let output = '';
  const { child, stop, kill } = await startOwnProcess(
    command,
    { PORT: String(port), ...ports, ...settings },
    metricsUrl,
    (text) => {
      output += text;
    },
    folder,
  );
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    metricsUrl,
    process: child,
    output: () => output,
    stop,
    kill,
  };
}
