/** Begins to read files that people sent, through the connector that their messages came by. */
import type { Clock } from '../../platform/clock.ts';
import type { OpenedMedia } from '../contract/kind.ts';
import { connectorKinds, isKindName } from './kinds.ts';
import type { StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';

export interface MediaDependencies {
  load: () => Promise<StoredConnector[]>;
  /** Opens the sealed secrets of a connector. */
  openSecrets: (sealed: string, connector: string) => Record<string, string>;
  clock: Clock;
}

/** `id` is the network's. */
export type OpenMedia = (connector: string, id: string) => Promise<OpenedMedia>;

export function createOpenMedia({ load, openSecrets, clock }: MediaDependencies): OpenMedia {
  return async (name, id) => {
    const stored = (await load()).find((one) => one.name === name);
    if (stored === undefined || !isKindName(stored.kind)) return { kind: 'missing' };
    const kind = connectorKinds[stored.kind];
    if (kind.openMedia === undefined) return { kind: 'missing' };
    const secrets = stored.secrets === null ? {} : openSecrets(stored.secrets, name);
    return kind.openMedia(checkSettings(kind, stored.settings), secrets, clock, id);
  };
}
