/** Keeps one link to the SMSC bound, for as long as it is wanted (SMPP 3.4 sections 2.2 and 4.1). */
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Trouble } from '../../contract/kind.ts';
import { isRefusedAccount, statusText } from '../sending/outcomes.ts';
import type { Bind as BindFields } from '../wire/bodies.ts';
import { statuses, version34 } from '../wire/commands.ts';
import type { Account } from './account.ts';
import { reconnectDelayMs } from './backoff.ts';
import type { Dial } from './dial.ts';
import { type Answer, createLink, type Link, type LinkOptions, type OwnersRequest } from './link.ts';
import type { Timers } from './timers.ts';

export type Role = 'transceiver' | 'transmitter' | 'receiver';

export interface BindOptions {
  role: Role;
  /** To the hosts of the SMSC, in the order in which they are tried. */
  dials: readonly Dial[];
  account: Account;
  credentials: Pick<BindFields, 'systemId' | 'password' | 'systemType'>;
  timers: Timers;
  logger: Logger;
  trouble: Trouble;
  times: Pick<LinkOptions, 'responseTimeoutMs' | 'enquireEveryMs' | 'enquireDeadlineMs'>;
  onBound: (link: Link) => void;
  onLost: (link: Link) => void;
  /** Requests of the SMSC on the bound link. */
  onRequest: (request: OwnersRequest, link: Link) => void;
  onUnreadable: NonNullable<LinkOptions['onUnreadable']>;
}

export interface Bind {
  role: Role;
  /** The link while it is bound. */
  link: () => Link | undefined;
  /** Unbinds and closes the link for good. Resolves when it is closed. */
  close: (deadlineMs: number) => Promise<void>;
}

const unreachable: Dial = () => Promise.reject(new Error('no host is set'));

const bindFields = { interfaceVersion: version34, addressRange: { ton: 0, npi: 0, number: '' } };

/** Starts connecting at once. */
export function keepBound(options: BindOptions): Bind {
  const { role, dials, account, timers, logger } = options;
  let bound: Link | undefined;
  let current: Link | undefined;
  let failures = 0;
  /** The host that is tried next. */
  let host = 0;
  let wanted = true;
  let cancelRetry = () => {};
  let onGone = () => {};

  const retry = () => {
    if (!wanted) return;
    // The next host at once; once all have been tried, a pause.
    const delayMs = Math.max(host > 0 ? 0 : reconnectDelayMs(failures, timers.random()), account.waitMs());
    if (host === 0) failures += 1;
    cancelRetry = timers.after(delayMs, connect);
  };

  const connect = () => {
    // Another bind may have been rejected meanwhile.
    if (account.waitMs() > 0) return retry();
    const [dial = unreachable] = dials.slice(host);
    host = (host + 1) % dials.length;
    dial().then(bind, (error: unknown) => {
      noteFailure(options, 'connection to the SMSC failed', wordsOf(error), { err: error });
      retry();
    });
  };

  const bind = (socket: Socket) => {
    if (!wanted) return socket.destroy();
    const link = createLink(socket, {
      timers,
      ...options.times,
      onRequest: (request) => options.onRequest(request, link),
      onUnreadable: options.onUnreadable,
      onClosed: (reason) => {
        current = undefined;
        if (bound === link) {
          // A link that did more than bind was of use: the next attempt may be quick again.
          if (link.answered() > 1) failures = 0;
          host = 0;
          bound = undefined;
          options.onLost(link);
        }
        if (wanted) noteFailure(options, 'SMPP connection closed', reason, { reason });
        onGone();
        retry();
      },
    });
    current = link;
    link.request(`bind_${role}`, { ...options.credentials, ...bindFields }, (answer) => {
      const refusal = refusalBy(account, answer);
      if (refusal !== undefined) return link.close(refusal);
      account.taken();
      bound = link;
      logger.info({ role }, 'bound to the SMSC');
      options.onBound(link);
    });
  };

  connect();
  return {
    role,
    link: () => bound,
    close: (deadlineMs) =>
      new Promise((resolve) => {
        wanted = false;
        cancelRetry();
        onGone = resolve;
        if (bound !== undefined) bound.unbind(deadlineMs);
        else if (current !== undefined) current.close('closed');
        else resolve();
      }),
  };
}

/** For the log, and for operators who look at the connector. */
function noteFailure(
  { role, logger, trouble }: BindOptions,
  what: string,
  why: string,
  fields: object,
): void {
  logger.warn({ role, ...fields }, what);
  trouble.failed(`${what}: ${why}`);
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Undefined if bound. Notes a rejected account, so that no other bind tries it. */
function refusalBy(account: Account, answer: Answer | undefined): string | undefined {
  if (answer !== undefined && isRefusedAccount(answer.status)) account.refused(answer.status);
  return refusalOf(answer);
}

/** Undefined if bound. */
export function refusalOf(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return 'the bind was not answered';
  if (answer.status === statuses.ok) return undefined;
  return `the SMSC refused to bind: ${statusText(answer.status)}`;
}
