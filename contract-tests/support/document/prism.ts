/** Runs the mock, the sandbox, and Prism as a proxy that judges a service by the contract, as processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Prism {
  baseUrl: string;
  /** All it has written so far. */
  output: () => string;
  stop: () => Promise<void>;
}

const startLimitMs = 150_000;
const root = fileURLToPath(new URL('../../..', import.meta.url));

const mocks = new Set<string>();

/** Whether the mock or a sandbox responds here: their responses do not count for the service. */
export function isMock(baseUrl: string): boolean {
  return mocks.has(baseUrl);
}

/** The mock as `npm run mock` starts it, on a free port. */
export async function startMock(): Promise<Prism> {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const [, ...words] = String(scripts.mock).split(' ');
  const mock = await start([...words, '--port', '0']);
  mocks.add(mock.baseUrl);
  return mock;
}

/** The sandbox as `tarishi sandbox` starts it, on a free port. */
export async function startSandbox(): Promise<Prism> {
  const sandbox = await start(['src/main.ts', 'sandbox', '--port', '0']);
  mocks.add(sandbox.baseUrl);
  return sandbox;
}

/** A proxy before `upstream`. Without --errors it reports violations in `sl-violations` and passes the response on. */
export function startProxy(upstream: string): Promise<Prism> {
  const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
  return start([command, 'proxy', 'generated/openapi.yaml', upstream, '--port', '0', '--host', '127.0.0.1']);
}

async function start(args: readonly string[]): Promise<Prism> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), startLimitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        output += bytes;
        const [, address] = /(?:Prism is listening on |TARISHI_URL=)(http:\S+)/.exec(output) ?? [];
        if (address === undefined) return;
        clearTimeout(timer);
        resolve(address);
      });
    ended.then(() => reject(new Error(`Prism ended:\n${output}`)));
  });
  return {
    baseUrl,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
