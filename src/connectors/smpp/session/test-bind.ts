/** Binds to the SMSC once and unbinds, to find out whether it can: no message is sent. */
import type { SmppSettings } from '../settings.ts';
import { version34 } from '../wire/commands.ts';
import { type Role, refusalOf } from './bind.ts';
import { type Address, addressesOf, createDials, type Dial } from './dial.ts';
import { createLink } from './link.ts';
import type { Timers } from './timers.ts';

const unbindMs = 1_000;
/** SMPP 3.4 section 5.1.3. */
const refusalWords: ReadonlyMap<number, string> = new Map([
  [0x05, 'the account is bound already'],
  [0x0d, 'the account may not bind'],
  [0x0e, 'the password is wrong'],
  [0x0f, 'the systemId is unknown'],
]);

/** Resolves to what is wrong at each host, or to undefined. */
export async function testBind(
  settings: SmppSettings,
  password: string,
  role: Role,
  timers: Timers,
): Promise<string | undefined> {
  const problems: string[] = [];
  const addresses = addressesOf(settings.host, settings.port);
  for (const [place, dial] of createDials(settings, timers).entries()) {
    const problem = await testHost(settings, password, role, timers, dial, addresses[place] ?? settings);
    if (problem !== undefined) problems.push(problem);
  }
  return problems.length === 0 ? undefined : problems.join('; ');
}

async function testHost(
  settings: SmppSettings,
  password: string,
  role: Role,
  timers: Timers,
  dial: Dial,
  { host, port }: Address,
): Promise<string | undefined> {
  const { systemId, systemType } = settings;
  const dialled = await dial().then(
    (socket) => ({ socket }),
    (error: Error) => ({ error }),
  );
  if ('error' in dialled) return `no connection to ${host}:${port}: ${dialled.error.message}`;
  return new Promise((resolve) => {
    const link = createLink(dialled.socket, {
      timers,
      responseTimeoutMs: settings.responseTimeoutSeconds * 1_000,
      enquireEveryMs: settings.enquireLinkSeconds * 1_000,
      enquireDeadlineMs: settings.enquireLinkDeadlineSeconds * 1_000,
      // Whatever it delivers here without a response, it delivers again on the next bind.
      onRequest: () => {},
      onClosed: (reason) => resolve(`the SMSC at ${host}:${port} closed the connection: ${reason}`),
    });
    const addressRange = { ton: 0, npi: 0, number: '' };
    const fields = { systemId, password, systemType, interfaceVersion: version34, addressRange };
    link.request(`bind_${role}`, fields, (answer) => {
      const refusal = refusalOf(answer);
      const words = refusalWords.get(answer?.status ?? 0);
      resolve(words === undefined ? refusal : `${refusal}: ${words}`);
      if (refusal === undefined) link.unbind(unbindMs);
      else link.close(refusal);
    });
  });
}
