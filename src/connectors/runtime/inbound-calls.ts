/** Handles calls from networks: verifies them and stores what they report and pass on. */

import type { Product } from '../../model/plan.ts';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import { cached } from '../../platform/concurrency/cache.ts';
import { own } from '../../platform/text/own.ts';
import type {
  Inbound,
  InboundCall,
  InboundRequest,
  NetworkNotice,
  TemplateNews,
} from '../contract/inbound.ts';
import { type CleanReport, cleanNews, type OnIgnored } from '../contract/network-text.ts';
import type { PhoneIdentity, PhoneMessage, PhonePreference } from '../contract/phone-message.ts';
import { connectorKinds, isKindName, productOfKind } from './kinds.ts';
import type { StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';

/** A connector as its network calls it. */
export interface CalledConnector {
  /** What to respond to a network that verifies our address; undefined: the request is not the network's. */
  challenge: (query: URLSearchParams) => string | undefined;
  /** Whether its network may call by GET. */
  takesGet: boolean;
  /** Whether a request has the headers of a signature, or the secret of the path; the body of one that has not need not be read. */
  hasSignature: (call: InboundCall) => boolean;
  /** Resolves to true once what the request says is stored. Forged ones leave no trace. */
  receive: (request: InboundRequest) => Promise<boolean>;
}

export interface InboundDependencies {
  load: () => Promise<StoredConnector[]>;
  /** Opens the sealed secrets of a connector. */
  openSecrets: (sealed: string, connector: string) => Record<string, string>;
  report: (
    reporter: { connector: string; product: Product },
    reports: readonly CleanReport[],
  ) => Promise<void>;
  templates: (connector: string, news: readonly TemplateNews[]) => Promise<void>;
  /** Stores what people sent. */
  receiveMessages: (
    reporter: { connector: string; product: Product },
    messages: readonly PhoneMessage[],
  ) => Promise<void>;
  /** Records what people told their network about senders of ours. */
  recordPreferences: (connector: string, preferences: readonly PhonePreference[]) => Promise<void>;
  /** Learns whose the ids are by which a network knows people. */
  learnIdentities: (connector: string, identities: readonly PhoneIdentity[]) => Promise<void>;
  notice: (connector: string, notices: readonly NetworkNotice[]) => Promise<void>;
  pause: (connector: string, reason: string) => Promise<void>;
  /** A network said something that is left out. */
  onIgnored: (connector: string, value: Parameters<OnIgnored>[0]) => void;
  /** A call does not prove that it is the network's. */
  onRefused: (connector: string) => void;
  lifetimeMs: number;
  clock: Clock & Stopwatch;
}

interface Called {
  product: Product;
  inbound: Inbound<unknown>;
  settings: unknown;
  secrets: Readonly<Record<string, string>>;
}

/** Finds connectors by name; undefined: there is none, or its network does not call. */
export function createInboundCalls(
  dependencies: InboundDependencies,
): (name: string) => Promise<CalledConnector | undefined> {
  const { load, openSecrets, report, templates, receiveMessages, recordPreferences } = dependencies;
  const { learnIdentities } = dependencies;
  const { notice, pause, onIgnored, onRefused, lifetimeMs, clock } = dependencies;
  const connectors = cached(
    async () => {
      const stored = await load();
      return new Map(stored.flatMap((one) => calledOf(one, openSecrets)));
    },
    { lifetimeMs, limitEntries: 1, clock },
  );
  return async (name) => {
    const called = (await connectors()).get(name)?.();
    if (called === undefined) return undefined;
    const { product, inbound, settings, secrets } = called;
    const orRefused = (isOwn: boolean) => {
      if (!isOwn) onRefused(name);
      return isOwn;
    };
    return {
      challenge: (query) => inbound.challenge?.(query, secrets),
      takesGet: inbound.takesGet ?? false,
      hasSignature: (call) =>
        orRefused(
          (inbound.admits?.(call, settings, secrets) ?? call.key === undefined) &&
            inbound.signatureHeaders(settings).every((header) => own(call.headers, header) !== undefined),
        ),
      receive: async (request) => {
        if (!orRefused(inbound.verify(request, settings, secrets, clock.now()))) return false;
        const said = inbound.read(request.body, settings, request.query);
        const {
          reports,
          templates: news,
          messages,
          preferences,
          identities,
          notices,
          pause: reason,
        } = cleanNews(said, (value) => onIgnored(name, value));
        await report({ connector: name, product }, reports);
        if (identities.length > 0) await learnIdentities(name, identities);
        if (messages.length > 0) await receiveMessages({ connector: name, product }, messages);
        if (preferences.length > 0) await recordPreferences(name, preferences);
        if (news.length > 0) await templates(name, news);
        if (notices.length > 0) await notice(name, notices);
        if (reason !== undefined) await pause(name, reason);
        return true;
      },
    };
  };
}

/** Opened when the first call comes: most connectors are never called. */
function calledOf(
  { name, kind, settings, secrets }: StoredConnector,
  openSecrets: InboundDependencies['openSecrets'],
): [string, () => Called][] {
  const inbound = isKindName(kind) ? connectorKinds[kind].inbound : undefined;
  if (!isKindName(kind) || inbound === undefined) return [];
  let called: Called | undefined;
  const open = () => {
    called ??= {
      product: productOfKind[kind],
      inbound,
      settings: checkSettings(connectorKinds[kind], settings),
      secrets: secrets === null ? {} : openSecrets(secrets, name),
    };
    return called;
  };
  return [[name, open]];
}
