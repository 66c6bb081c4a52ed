/** Finds out in how many short messages, and in which encoding, a stored connector submits a text. */
import { segmentsOf } from '../../platform/text/segments.ts';
import type { Split } from '../contract/kind.ts';
import { connectorKinds, isKindName } from './kinds.ts';
import type { StoredConnector } from './repository.ts';
import { checkSettings } from './settings.ts';

/** By the name of a connector; one that does not exist, or whose settings are faulty, submits as most networks do. */
export function createSplitting(
  stored: readonly Pick<StoredConnector, 'name' | 'kind' | 'settings'>[],
): (connector: string | undefined, text: string) => Split {
  const byName = new Map(stored.map((connector) => [connector.name, splitOf(connector)]));
  return (connector, text) => (byName.get(connector ?? '') ?? asMostNetworks)(text);
}

function asMostNetworks(text: string): Split {
  const { encoding, segments } = segmentsOf(text);
  return { encoding, parts: segments };
}

function splitOf({ kind, settings }: Pick<StoredConnector, 'kind' | 'settings'>): (text: string) => Split {
  const rules = isKindName(kind) ? connectorKinds[kind] : undefined;
  if (rules?.split === undefined) return asMostNetworks;
  try {
    const checked = checkSettings(rules, settings);
    return (text) => rules.split?.(text, checked) ?? asMostNetworks(text);
  } catch {
    return asMostNetworks;
  }
}
