/** The greeting of a process: its addresses, its database, and what to try next. */

import { placeOf } from '../platform/db/servers.ts';
import { commandName } from './command-name.ts';
import type { Config } from './config.ts';

/** Where a process listens; a `work` process has no API. */
export interface Addresses {
  publicUrl?: string | undefined;
  managementUrl?: string | undefined;
  consoleUrl?: string | undefined;
  metricsUrl: string;
}

/** The fields of the log's line `ready`. */
export function readyFields(config: Config, { publicUrl, managementUrl, consoleUrl, metricsUrl }: Addresses) {
  return {
    publicUrl,
    docsUrl: publicUrl === undefined ? undefined : `${publicUrl}/docs`,
    managementUrl,
    consoleUrl,
    metricsUrl,
    database: databaseOf(config),
    mode: modeOf(config),
  };
}

/** In place of the plain addresses: they open the demo with its credentials. */
export interface DemoLinks {
  docs?: string | undefined;
  console?: string | undefined;
}

/** Lines for a terminal. */
export function greeting(config: Config, addresses: Addresses, links: DemoLinks = {}): string {
  const { publicUrl, docsUrl, managementUrl, consoleUrl, metricsUrl, database, mode } = readyFields(
    config,
    addresses,
  );
  const rows = {
    API: publicUrl,
    Docs: links.docs ?? docsUrl,
    Management: managementUrl,
    Console: links.console ?? consoleUrl,
    Metrics: metricsUrl,
  };
  const lines = Object.entries({ ...rows, Database: database, Mode: mode })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(12)}${value}`);
  return `\nTarishi is ready.\n\n${lines.join('\n')}\n\n${nextSteps(config, publicUrl)}\n`;
}

function databaseOf({ databaseUrl, dataDirectory }: Config): string {
  if (databaseUrl === undefined) return `embedded, in ${dataDirectory}`;
  return `PostgreSQL, ${placeOf(databaseUrl).place}`;
}

function modeOf({ demo, production, allowLoopbackCallbacks }: Config): string {
  const loopback = allowLoopbackCallbacks ? ', with callbacks to this machine allowed' : '';
  if (demo) return `demo: messages go to simulated networks${loopback}`;
  return `${production ? 'production' : 'development'}${loopback}`;
}

function nextSteps(config: Config, publicUrl: string | undefined): string {
  if (!config.demo || publicUrl === undefined)
    return 'docs/operating.md shows how to add networks, a team and its clients, and what to watch.\n';
  const tarishi = commandName(config.dataDirectory);
  return `Try next, in two other terminals:

  ${tarishi} listen
  ${tarishi} send +254711000000 "Habari from Tarishi" --receipt-to http://127.0.0.1:4000/\n`;
}
