/** Takes calls of networks: verifies them, has what they say stored, and says whether they were theirs. */
import { cached } from '../cache.ts';
import type { Clock, Stopwatch } from '../clock.ts';
import type { NetworkReport } from './connector.ts';
import type { Inbound, InboundRequest, TemplateNews } from './inbound.ts';
import { connectorKinds, isKindName } from './kinds.ts';
import type { StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';

export interface InboundCalls {
  /** What to answer a network that makes sure of the address; undefined: it is none of ours. */
  challenge: (connector: string, query: URLSearchParams) => Promise<string | undefined>;
  /** `taken` once what it says is safe. Forged ones leave no trace. */
  receive: (connector: string, request: InboundRequest) => Promise<'taken' | 'forged' | 'unknown'>;
}

export interface InboundDependencies {
  load: () => Promise<StoredConnector[]>;
  /** Opens a sealed value. */
  decrypt: (sealed: string) => string;
  report: (connector: string, reports: readonly NetworkReport[]) => Promise<void>;
  templates: (connector: string, news: readonly TemplateNews[]) => Promise<void>;
  pause: (connector: string, reason: string) => Promise<void>;
  lifetimeMs: number;
  clock: Clock & Stopwatch;
}

interface Called {
  inbound: Inbound<unknown>;
  settings: unknown;
  secrets: Readonly<Record<string, string>>;
}

export function createInboundCalls(dependencies: InboundDependencies): InboundCalls {
  const { load, decrypt, report, templates, pause, lifetimeMs, clock } = dependencies;
  const connectors = cached(
    async () => {
      const stored = await load();
      return new Map(stored.flatMap((one) => calledOf(one, decrypt)));
    },
    { lifetimeMs, limitEntries: 1, clock },
  );
  return {
    challenge: async (name, query) => {
      const called = (await connectors()).get(name)?.();
      return called?.inbound.challenge?.(query, called.secrets);
    },
    receive: async (name, request) => {
      const called = (await connectors()).get(name)?.();
      if (called === undefined) return 'unknown';
      const { inbound, settings, secrets } = called;
      if (!inbound.verify(request, settings, secrets, clock.now())) return 'forged';
      const { reports, templates: news = [], pause: reason } = inbound.read(request.body, settings);
      await report(name, reports);
      if (news.length > 0) await templates(name, news);
      if (reason !== undefined) await pause(name, reason);
      return 'taken';
    },
  };
}

/** Opened when the first call comes: most connectors are never called. */
function calledOf(
  { name, kind, settings, secrets }: StoredConnector,
  decrypt: InboundDependencies['decrypt'],
): [string, () => Called][] {
  const inbound = isKindName(kind) ? connectorKinds[kind].inbound : undefined;
  if (!isKindName(kind) || inbound === undefined) return [];
  let called: Called | undefined;
  const open = () => {
    called ??= {
      inbound,
      settings: checkSettings(connectorKinds[kind], settings),
      secrets: secrets === null ? {} : JSON.parse(decrypt(secrets)),
    };
    return called;
  };
  return [[name, open]];
}
