/** Calls the management API: of a running service over HTTP, or in this process where none runs. */

import { loadDocument } from '../../contract/document.ts';
import { findDemoFile } from '../../demo/file.ts';
import { type Answer, type Request, send } from '../../http/connections/call.ts';
import { DirectoryInUse } from '../../platform/db/embedded/directory-lock.ts';
import type { Database } from '../../platform/db/knex.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { withoutTrailingSlashes } from '../../platform/text/url.ts';
import type { Config } from '../../process/config.ts';
import { CommandError } from '../line/errors.ts';

export interface Service {
  call: (request: Request) => Promise<Answer>;
  close: () => Promise<void>;
}

/** Where the service runs, and as whom it is called; what is omitted comes from the environment or demo.json. */
export interface Address {
  url: string | undefined;
  accessKey: string | undefined;
}

/** The configured database, and what stands beside it. */
export interface Opened {
  database: Database;
  secrets: () => Promise<Secrets>;
  /** Who uses this machine, as the audit log names them. */
  operator: string;
}

export interface ServiceOptions {
  config: Config;
  environment: Readonly<Record<string, string | undefined>>;
  /** Opens the configured database. Throws DirectoryInUse if a service runs on it. */
  open: () => Promise<Opened>;
  /** How long a service may be silent before a command gives up: by default longer than any operation takes. */
  silenceMs?: number;
}

/** Over HTTP if an address is given, or the embedded database is in use by a service; otherwise in this process. */
export async function openService(
  address: Address,
  { config, environment, open, silenceMs = 60_000 }: ServiceOptions,
): Promise<Service> {
  const url = address.url ?? (environment.TARISHI_MANAGEMENT_URL || undefined);
  const accessKey = address.accessKey ?? (environment.TARISHI_ACCESS_KEY || undefined);
  if (url !== undefined) return overHttp(url, accessKey ?? demoAt(config, url)?.accessKey, silenceMs);
  try {
    return await inThisProcess(config, await open());
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    const running = demoAt(config);
    const at = running?.managementUrl ?? addressOf(config, error);
    return overHttp(at, accessKey ?? running?.accessKey, silenceMs, `${error.message}; `);
  }
}

/** The demo, which knows where its service listens and has an owner there. */
function demoAt({ dataDirectory }: Config, url?: string) {
  const demo = findDemoFile(dataDirectory);
  return url === undefined || demo?.managementUrl === withoutTrailingSlashes(url) ? demo : undefined;
}

/** Where a service with these settings listens. */
function addressOf({ managementHost, managementPort }: Config, { message }: DirectoryInUse): string {
  if (managementPort === 0)
    throw new CommandError(`${message}, or give the address of its management API by --url`);
  return `http://${managementHost}:${managementPort}/management`;
}

/** `why`: begins the error of a service that does not respond, where nobody named its address. */
function overHttp(given: string, accessKey: string | undefined, silenceMs: number, why = ''): Service {
  const url = withoutTrailingSlashes(given);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError(`${given} is not an http or https URL`);
  if (accessKey === undefined)
    throw new CommandError(
      `the management API at ${url} needs the access key of a user: set TARISHI_ACCESS_KEY, or give --access-key-file`,
    );
  const authorization = `Bearer ${accessKey}`;
  return {
    call: (request) =>
      send(url, request, { headers: { authorization }, agent: false, timeout: silenceMs }).catch(
        (error: Error) => {
          throw new CommandError(`${why}${url} does not respond: ${error.message}`);
        },
      ),
    close: async () => {},
  };
}

async function inThisProcess(config: Config, { database, secrets, operator }: Opened): Promise<Service> {
  // The commands that only call are quicker without what a service needs.
  const { serveManagementInMemory } = await import('../../process/management.ts');
  const served = await serveManagementInMemory({
    config,
    database,
    secrets: await secrets(),
    document: loadDocument('management'),
    name: operator,
  });
  return {
    call: (request) => send(served.url, request, { createConnection: served.connect }),
    close: served.close,
  };
}
