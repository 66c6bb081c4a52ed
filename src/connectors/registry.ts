/** The connectors of this process: opened from the database, and anew when their settings change. */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Connector, NetworkReport } from './connector.ts';
import { connectorKinds, isKindName } from './kinds.ts';
import type { ConnectorRepository, StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';

export interface RegistryDependencies {
  repository: ConnectorRepository;
  /** Opens a sealed value. */
  decrypt: (sealed: string) => string;
  report: (connector: string, reports: readonly NetworkReport[]) => Promise<void>;
  clock: Clock;
  logger: Logger;
}

/** A stored connector as this process has it. */
interface Entry {
  version: number;
  /** Undefined when it could not be opened. */
  connector: Connector | undefined;
  pausedReason: string | null;
}

export interface ConnectorRegistry {
  /** The connector of that name; undefined while it can take no message. */
  find: (name: string) => Connector | undefined;
  /** Brings this process's connectors in line with the stored ones. */
  refresh: () => Promise<void>;
  close: () => Promise<void>;
}

export function createConnectorRegistry(dependencies: RegistryDependencies): ConnectorRegistry {
  const { repository, logger } = dependencies;
  const entries = new Map<string, Entry>();

  const close = async (name: string) => {
    const entry = entries.get(name);
    entries.delete(name);
    await entry?.connector?.close?.();
  };

  const pause = async (name: string, reason: string, seconds?: number) => {
    const entry = entries.get(name);
    if (entry !== undefined) entry.pausedReason = reason;
    logger.warn({ connector: name, reason, seconds }, 'a connector paused itself');
    await repository.pause(name, reason, seconds);
  };

  const open = (stored: StoredConnector): Connector | undefined => {
    const { name } = stored;
    try {
      return openConnector(stored, dependencies, (reason, seconds) => pause(name, reason, seconds));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ connector: name, reason }, 'a connector cannot be opened; its messages wait');
      return undefined;
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
    entries.set(name, { version, connector: open(stored), pausedReason });
  };

  return {
    find: (name) => {
      const entry = entries.get(name);
      if (entry?.connector === undefined || entry.pausedReason !== null) return undefined;
      return entry.connector.state?.().bound === 0 ? undefined : entry.connector;
    },
    refresh: async () => {
      const stored = await repository.load();
      const kept = new Set(stored.map(({ name }) => name));
      const gone = [...entries.keys()].filter((name) => !kept.has(name));
      await Promise.all([...stored.map(replace), ...gone.map(close)]);
    },
    close: async () => {
      await Promise.all([...entries.keys()].map(close));
    },
  };
}

/** Throws an Error that says what is wrong with the stored connector. */
function openConnector(
  { name, kind, settings, secrets }: StoredConnector,
  { decrypt, report, clock, logger }: RegistryDependencies,
  pause: (reason: string, seconds?: number) => Promise<void>,
): Connector {
  if (!isKindName(kind)) throw new Error(`there is no kind "${kind}"`);
  const opened: Record<string, string> = secrets === null ? {} : JSON.parse(decrypt(secrets));
  return connectorKinds[kind].open(checkSettings(connectorKinds[kind], settings), opened, {
    name,
    clock,
    logger: logger.child({ connector: name }),
    report: (reports) => report(name, reports),
    pause,
  });
}
