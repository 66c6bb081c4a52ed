/** The greeting of a process: its addresses, its database, and what to try next. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';

/** Where a process listens; a `work` process has no API. */
export interface Addresses {
  publicUrl?: string | undefined;
  managementUrl?: string | undefined;
  metricsUrl: string;
}

/** The fields of the log's line `ready`. */
export function readyFields(config: Config, { publicUrl, managementUrl, metricsUrl }: Addresses) {
  return {
    publicUrl,
    docsUrl: publicUrl === undefined ? undefined : `${publicUrl}/docs`,
    managementUrl,
    metricsUrl,
    database: databaseOf(config),
    mode: modeOf(config),
  };
}

/** Lines for a terminal. */
export function greeting(config: Config, addresses: Addresses): string {
  const { publicUrl, docsUrl, managementUrl, metricsUrl, database, mode } = readyFields(config, addresses);
  const rows = { API: publicUrl, Docs: docsUrl, Management: managementUrl, Metrics: metricsUrl };
  const lines = Object.entries({ ...rows, Database: database, Mode: mode })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(12)}${value}`);
  return `\nTarishi is ready.\n\n${lines.join('\n')}\n\n${nextSteps(config, publicUrl)}\n`;
}

function databaseOf({ databaseUrl, dataDirectory }: Config): string {
  if (databaseUrl === undefined) return `embedded, in ${dataDirectory}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

function modeOf({ demo, production, allowLoopbackCallbacks }: Config): string {
  const loopback = allowLoopbackCallbacks ? ', with callbacks to this machine allowed' : '';
  if (demo) return `demo: messages go to simulated networks${loopback}`;
  return `${production ? 'production' : 'development'}${loopback}`;
}

function nextSteps(config: Config, publicUrl: string | undefined): string {
  if (!config.demo || publicUrl === undefined)
    return 'docs/operating.md shows how to add networks, a team and its clients, and what to watch.\n';
  const tarishi = commandName(config);
  return `Try next, in another terminal:

  ${tarishi} send +254711000000 'Habari from Tarishi'
  ${tarishi} listen\n`;
}

/** As it can be typed in the folder where the service was started. */
function commandName({ dataDirectory }: Config): string {
  const settings = resolve(dataDirectory) === resolve('data') ? '' : `DATA_DIR=${dataDirectory} `;
  if (existsSync(join('node_modules', '.bin', 'tarishi'))) return `${settings}npx tarishi`;
  const launcher = fileURLToPath(new URL('../../bin/tarishi.js', import.meta.url));
  const near = relative('', launcher);
  return `${settings}${near.startsWith('..') ? launcher : `./${near}`}`;
}
