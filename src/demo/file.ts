/** Writes the demo's credentials and ids for users: `demo.json` and the greeting of the first start. */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoChatApp, DemoChatAppTemplates } from './chatapp.ts';
import type { DemoData } from './data.ts';
import type { DemoSms } from './sms.ts';

/** Where the service listens. */
export interface DemoAddresses {
  baseUrl: string;
  /** Of the management API; omitted where the demo has no owner there. */
  managementUrl?: string;
}

/** Credentials and ids, as `demo.json` holds them. */
export interface Demo extends DemoAddresses, DemoSms, DemoData, DemoChatApp {
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  /** Of an owner at the management API. */
  accessKey?: string;
  chatAppTemplates: DemoChatAppTemplates;
}

/** Writes `demo.json`, readable by its owner only. */
export function writeDemoFile(directory: string, demo: Demo): void {
  // Processes that wait for the file must not find half of it.
  const unfinished = `${demoFile(directory)}.new`;
  writeFileSync(unfinished, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, demoFile(directory));
}

/** Updates `demo.json` if the service listens elsewhere than on its first start. */
export function refreshDemoFile(directory: string, addresses: DemoAddresses): void {
  if (!existsSync(demoFile(directory))) return;
  const demo = readDemoFile(directory);
  if (demo.baseUrl !== addresses.baseUrl || demo.managementUrl !== addresses.managementUrl)
    writeDemoFile(directory, { ...demo, ...addresses });
}

/** What `demo.json` holds. Throws an Error that says how to repair it. */
export function readDemoFile(directory: string): Demo {
  try {
    return JSON.parse(readFileSync(demoFile(directory), 'utf8'));
  } catch (error) {
    // The parser quotes what is around a fault: perhaps a secret.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    throw new Error(
      `${demoFile(directory)} cannot be read (${reason}): restore it from a backup, ` +
        'or remove it; the service runs without it',
    );
  }
}

/** The same; undefined where there is no such file. */
export function findDemoFile(directory: string): Demo | undefined {
  return existsSync(demoFile(directory)) ? readDemoFile(directory) : undefined;
}

/** The path of `demo.json`. */
export function demoFile(directory: string): string {
  return join(directory, 'demo.json');
}

/** What the first start prints: credentials once, and a command that sends an SMS when pasted. */
export function demoGreeting(demo: Demo, directory: string): string {
  const phone = `+2547110${String(randomInt(100)).padStart(2, '0')}000`;
  return `
Demo data is in place. These credentials are shown once and kept in ${demoFile(directory)}:

  client id       ${demo.clientId}
  client secret   ${demo.clientSecret}
  signing secret  ${demo.signingSecret}
${demo.accessKey === undefined ? '' : `  access key      ${demo.accessKey}\n`}\
  SMS service     ${demo.smsServiceId}
  chat-app        ${demo.chatAppServiceId}, from the number ${demo.phoneNumberIds[0]}

Send an SMS through the simulated network without the command line:

curl -s '${demo.baseUrl}/message/${demo.smsServiceId}' \\
  -H "Authorization: Bearer $(curl -s '${demo.baseUrl}/oauth/token' -d grant_type=client_credentials \\
     -d 'client_id=${demo.clientId}' -d 'client_secret=${demo.clientSecret}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"SendToMany","addresses":["${phone}"],"message":"Habari from Tarishi"}'
${managementCommand(demo)}
`;
}

function managementCommand({ managementUrl, accessKey }: Demo): string {
  if (managementUrl === undefined || accessKey === undefined) return '';
  return `
See what became of it, as an operator does:

curl -s '${managementUrl}/messages?limit=1' -H 'Authorization: Bearer ${accessKey}'
`;
}
