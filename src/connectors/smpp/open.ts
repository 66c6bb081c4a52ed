/** Opens the connector to an SMSC: its binds, its pool and its end. */
import { connectorSettings } from '../../../generated/connector-settings.ts';
import type { Connector } from '../contract/connector.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import { noShare, type Share } from '../contract/share.ts';
import { plainSmppWarning } from '../http/transport.ts';
import { createRetries } from '../runtime/retries.ts';
import { unreadableOf } from './inbound/phone-message.ts';
import { presets } from './presets.ts';
import { createIncoming } from './reports/incoming.ts';
import { parametersFault, tagsFault } from './sending/parameters.ts';
import { splitOf } from './sending/parts.ts';
import { handOver } from './sending/submit.ts';
import { createAccount } from './session/account.ts';
import { type Bind, keepBound, type Role } from './session/bind.ts';
import { createDials } from './session/dial.ts';
import { createPool } from './session/pool.ts';
import { testBind } from './session/test-bind.ts';
import { systemTimers, type Timers } from './session/timers.ts';
import type { SmppSettings } from './settings.ts';

const roles: Record<SmppSettings['bindMode'], readonly [Role, ...Role[]]> = {
  transceiver: ['transceiver'],
  'transmitter+receiver': ['transmitter', 'receiver'],
};

/** For hand-overs under way, and once more for unbinding. */
const closingMs = 4_000;
/** For unbinding what another process may bind now. */
const lettingGoMs = 1_000;
const notBound = { kind: 'later', delaySeconds: 2 } as const;

export const smppKind: ConnectorKind<SmppSettings> = {
  documented: connectorSettings.smpp,
  presets,
  fault: ({ parameters, reportTags, binds, rate }) =>
    rate < binds
      ? 'setting "rate" must be at least "binds"'
      : (parametersFault(parameters) ?? tagsFault('reportTags', Object.keys(reportTags))),
  address: ({ host, port, tls, tlsCertificateAuthority }) =>
    JSON.stringify([host, port, tls, tlsCertificateAuthority]),
  warning: plainSmppWarning,
  account: ({ binds, rate }) => ({ parts: binds, ratePerSecond: rate }),
  split: splitOf,
  test: (settings, { password = '' }) =>
    testBind(settings, password, roles[settings.bindMode][0], systemTimers),
  open: (settings, secrets, context) => openSmpp(settings, secrets, context, systemTimers),
};

type SmppContext = Pick<ConnectorContext, 'clock' | 'logger' | 'report' | 'parts' | 'trouble' | 'receive'>;

export function openSmpp(
  settings: SmppSettings,
  { password = '' }: Readonly<Record<string, string>>,
  { clock, logger, report, parts, trouble, receive }: SmppContext,
  timers: Timers,
): Connector {
  if (!/^[ -~]{0,8}$/.test(password)) throw new Error('SMPP 3.4 passwords have at most 8 ASCII characters');
  const pool = createPool({ window: settings.window, rate: 0 }, timers, trouble);
  const retries = createRetries(clock);
  const account = createAccount(timers, logger);
  const onRequest = createIncoming({ settings, report, receive, logger });
  const times = {
    responseTimeoutMs: settings.responseTimeoutSeconds * 1_000,
    enquireEveryMs: settings.enquireLinkSeconds * 1_000,
    enquireDeadlineMs: settings.enquireLinkDeadlineSeconds * 1_000,
  };
  const dials = createDials(settings, timers);
  const { systemId, systemType } = settings;
  const bind = (role: Role) =>
    keepBound({
      role,
      dials,
      account,
      credentials: { systemId, password, systemType },
      timers,
      logger,
      trouble,
      times,
      onBound: (link) => {
        if (role !== 'receiver') pool.add(link);
      },
      onLost: (link) => pool.remove(link),
      onRequest,
      onUnreadable: (octets) =>
        void receive([unreadableOf('Message', octets)]).catch((error: unknown) =>
          logger.error({ err: error }, 'message that cannot be read not stored'),
        ),
    });
  /** By the part of the account that they are. */
  const binds = new Map<number, Bind[]>();
  let ratePerSecond = 0;
  let cancelEnd = () => {};

  const use = async (share: Share, unbindMs = lettingGoMs) => {
    cancelEnd();
    if (Number.isFinite(share.forMs) && share.parts.length > 0)
      cancelEnd = timers.after(share.forMs, () => void use(noShare));
    ({ ratePerSecond } = share);
    if (share.inherited) account.inherited();
    pool.allow(ratePerSecond, timers.now() + share.forMs);
    const gone = [...binds].filter(([part]) => !share.parts.includes(part));
    for (const [part] of gone) binds.delete(part);
    for (const part of share.parts) if (!binds.has(part)) binds.set(part, roles[settings.bindMode].map(bind));
    await Promise.all(gone.flatMap(([, some]) => some.map((one) => one.close(unbindMs))));
  };
  let underWay = 0;
  let closing = false;
  let onIdle = () => {};

  return {
    send: async (messages, leftMs, lookAgain) => {
      if (closing || pool.bound() === 0) return messages.map(() => notBound);
      underWay += 1;
      try {
        return await handOver({ settings, pool, parts, retries, timers }, messages, leftMs, lookAgain);
      } finally {
        underWay -= 1;
        if (underWay === 0) onIdle();
      }
    },
    state: () => ({
      binds: binds.size,
      bound: pool.bound(),
      window: binds.size * settings.window,
      inFlight: pool.inFlight(),
      ratePerSecond,
    }),
    use: async (share) => {
      if (!closing) await use(share);
    },
    close: async () => {
      closing = true;
      cancelEnd();
      pool.allow(0, 0);
      if (underWay > 0) await orAfter(closingMs, timers, (resolve) => (onIdle = resolve));
      await use(noShare, closingMs);
    },
  };
}

function orAfter(ms: number, timers: Timers, wait: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(ms, resolve);
    wait(() => {
      cancel();
      resolve();
    });
  });
}
