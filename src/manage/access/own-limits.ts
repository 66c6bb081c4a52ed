/** What teams and clients may send, as operators set it: how many units, and where to. */
import { changeable } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { isRegion } from '../../products/phone/region.ts';

/** A change replaces the caps that it names; null removes one. */
type GivenCaps = Readonly<Partial<Record<'day' | 'month', number | null>>>;
type Caps = Readonly<Partial<Record<'day' | 'month', number>>>;
interface Destinations {
  allow?: readonly string[];
  deny?: readonly string[];
}

export const limitProperties = {
  caps: changeable<GivenCaps>({ initially: {} }),
  destinations: changeable<Destinations>({ initially: {} }),
};

interface Limited {
  caps: GivenCaps;
  destinations: Destinations;
}

export function settledCaps({ caps }: Pick<Limited, 'caps'>, before: Pick<Limited, 'caps'> | undefined) {
  const kept = Object.entries({ ...before?.caps, ...caps }).filter(([, most]) => most !== null);
  return { caps: Object.fromEntries(kept) as GivenCaps };
}

export function limitFaults({ destinations: { allow = [], deny = [] } }: Limited): Fault[] {
  return [...allow, ...deny].every((place) => place.startsWith('+') || isRegion(place))
    ? []
    : [faults.fieldRule('destinations', 'countries of ISO 3166-1 or prefixes such as +2547')];
}

/** Once settled, no cap is null. */
export const shownCaps = ({ caps }: Pick<Limited, 'caps'>) => ({ caps: caps as Caps });
