/** The connectors of this process: opened from the database, and reopened when their settings change. */
import type { Logger } from 'pino';
import type { Product } from '../../model/plan.ts';
import { connectorWords } from '../../model/words/connectors.ts';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import type { Connector, ConnectorStatus } from '../contract/connector.ts';
import type { TemplateNews } from '../contract/inbound.ts';
import type { ConnectorKind, SentParts } from '../contract/kind.ts';
import {
  type CleanReport,
  cleanMessages,
  cleanReason,
  cleanReports,
  cleanTemplateNews,
  type OnIgnored,
  withCleanAnswers,
} from '../contract/network-text.ts';
import type { PhoneMessage } from '../contract/phone-message.ts';
import { type Account, wholeAccount } from '../contract/share.ts';
import { connectorKinds, isKindName, isSimulated, networkKinds, productOfKind } from './kinds.ts';
import type { Leases } from './lease-repository.ts';
import type { ConnectorRepository, StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';
import { shareOut } from './sharing.ts';
import { createTroubleLog, type TroubleLog } from './trouble.ts';

export interface RegistryDependencies {
  repository: ConnectorRepository;
  /** Opens the sealed secrets of a connector. */
  openSecrets: (sealed: string, connector: string) => Record<string, string>;
  report: (
    reporter: { connector: string; product: Product },
    reports: readonly CleanReport[],
  ) => Promise<void>;
  partsOf: (connector: string) => SentParts;
  templates: (connector: string, news: readonly TemplateNews[]) => Promise<void>;
  /** A connector's network said something that is left out. */
  onIgnored: (connector: string, value: Parameters<OnIgnored>[0]) => void;
  /** Stores what phones sent to a connector. */
  receive: (
    reporter: { connector: string; product: Product },
    messages: readonly PhoneMessage[],
  ) => Promise<void>;
  /** Opens connectors to the simulated networks of this process. */
  openSimulator: (product: Product) => ConnectorKind['open'];
  /** Undefined: this process is alone. */
  leases: Leases | undefined;
  clock: Clock & Stopwatch;
  logger: Logger;
}

/** A stored connector as this process has it. */
interface Entry {
  version: number;
  opened: Connector | { fault: string };
  /** What all processes may use together; undefined: it is not limited. */
  account: Account | undefined;
  pausedReason: string | null;
  trouble: TroubleLog;
  /** By the stopwatch; undefined: it has a connection, or nobody has asked. */
  unboundSinceMs?: number | undefined;
}

export interface ConnectorRegistry {
  /** The connector of that name; undefined while it can take no message. */
  find: (name: string) => Connector | undefined;
  /** Of a connector that can take no message: why, in words, and whether its messages are better left to it. */
  whyNot: (name: string) => { reason: string; soon: boolean };
  /**
   * Brings this process's connectors in line with the stored ones, and what they use of their accounts with what other
   * processes use: to be called more often than leases end.
   */
  refresh: () => Promise<void>;
  statuses: () => ConnectorStatus[];
  close: () => Promise<void>;
}

export function createConnectorRegistry(dependencies: RegistryDependencies): ConnectorRegistry {
  const { repository, logger, leases, clock } = dependencies;
  const entries = new Map<string, Entry>();

  const close = async (name: string) => {
    const entry = entries.get(name);
    entries.delete(name);
    if (entry !== undefined && 'send' in entry.opened) await entry.opened.close?.();
  };

  const pause = async (name: string, said: string, seconds?: number) => {
    const reason = cleanReason(said);
    const entry = entries.get(name);
    if (entry !== undefined) {
      entry.pausedReason = reason;
      entry.trouble.failed(reason);
    }
    logger.warn({ connector: name, reason, seconds }, 'connector paused itself');
    await repository.pause(name, reason, seconds);
  };

  const open = (stored: StoredConnector, trouble: TroubleLog): Pick<Entry, 'opened' | 'account'> => {
    const { name } = stored;
    try {
      return openConnector(stored, dependencies, trouble, (reason, seconds) => pause(name, reason, seconds));
    } catch (error) {
      const fault = cleanReason(error instanceof Error ? error.message : String(error));
      trouble.failed(fault);
      logger.error({ connector: name, fault }, 'connector cannot be opened; its messages wait');
      return { opened: { fault }, account: undefined };
    }
  };

  const replace = async (stored: StoredConnector) => {
    const { name, version, pausedReason } = stored;
    const entry = entries.get(name);
    if (entry?.version === version) {
      entry.pausedReason = pausedReason;
      return;
    }
    // Networks that allow one bind refuse a second one: the old connections end first.
    await close(name);
    const trouble = createTroubleLog(dependencies.clock);
    const next: Entry = { version, ...open(stored, trouble), pausedReason, trouble };
    entries.set(name, next);
    const { opened, account } = next;
    if (leases === undefined && account !== undefined && 'send' in opened)
      void opened.use?.(wholeAccount(account));
  };

  return {
    find: (name) => {
      const entry = entries.get(name);
      if (entry === undefined || !('send' in entry.opened)) return undefined;
      if (statusOf(name, entry).condition !== 'open') return undefined;
      entry.unboundSinceMs = undefined;
      return entry.opened;
    },
    whyNot: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return { reason: 'this process does not have it yet', soon: false };
      const { condition, reason, state } = statusOf(name, entry);
      if (condition === 'unbound') entry.unboundSinceMs ??= clock.elapsedMs();
      const soon =
        condition === 'unbound' &&
        (state?.binds === 0 || clock.elapsedMs() - (entry.unboundSinceMs ?? 0) < reconnectingMs);
      return { reason: `it ${connectorWords[condition].does}${reason ? `: ${reason}` : ''}`, soon };
    },
    refresh: async () => {
      const stored = await repository.load();
      const kept = new Set(stored.map(({ name }) => name));
      const gone = [...entries.keys()].filter((name) => !kept.has(name));
      await Promise.all([...stored.map(replace), ...gone.map(close)]);
      if (leases !== undefined) await shareOut(leases, [...entries].flatMap(sharedIn), clock);
    },
    statuses: () => [...entries].map(([name, entry]) => statusOf(name, entry)),
    close: async () => {
      await Promise.all([...entries.keys()].map(close));
    },
  };
}

const sharedIn = ([name, { account, opened }]: [string, Entry]) =>
  account !== undefined && 'send' in opened ? [{ name, account, use: opened.use }] : [];

/** So long a lost connection may be back at once; without one of its own, another process sends its messages. */
const reconnectingMs = 5_000;

function statusOf(name: string, { opened, pausedReason, trouble }: Entry): ConnectorStatus {
  const state = 'send' in opened ? opened.state?.() : undefined;
  const seen = { name, state, ...trouble.seen() };
  if (pausedReason !== null) return { ...seen, condition: 'paused', reason: pausedReason };
  if ('fault' in opened) return { ...seen, condition: 'faulty', reason: opened.fault };
  return { ...seen, condition: state?.bound === 0 ? 'unbound' : 'open', reason: null };
}

/** Throws an Error that says what is wrong with the stored connector. */
function openConnector(
  { name, kind, settings, secrets }: StoredConnector,
  {
    openSecrets,
    report,
    partsOf,
    openSimulator,
    templates,
    onIgnored,
    receive,
    clock,
    logger,
  }: RegistryDependencies,
  trouble: TroubleLog,
  pause: (reason: string, seconds?: number) => Promise<void>,
): Pick<Entry, 'account'> & { opened: Connector } {
  if (!isKindName(kind)) throw new Error(`there is no kind "${kind}"`);
  const opening = secrets === null ? {} : openSecrets(secrets, name);
  const ignored: OnIgnored = (value) => onIgnored(name, value);
  const checked = checkSettings(connectorKinds[kind], settings);
  const warning = connectorKinds[kind].warning?.(checked);
  if (warning !== undefined) logger.warn({ connector: name }, `the connector ${warning}`);
  const open = isSimulated(kind) ? openSimulator(productOfKind[kind]) : networkKinds[kind].open;
  const connector = open(checked, opening, {
    name,
    clock,
    logger: logger.child({ connector: name }),
    report: (reports) =>
      report({ connector: name, product: productOfKind[kind] }, cleanReports(reports, ignored)),
    receive: (messages) =>
      receive({ connector: name, product: productOfKind[kind] }, cleanMessages(messages, ignored)),
    parts: partsOf(name),
    pause,
    trouble,
    templates: (news) => templates(name, cleanTemplateNews(news, ignored)),
  });
  return { opened: withCleanAnswers(connector, ignored), account: connectorKinds[kind].account?.(checked) };
}
