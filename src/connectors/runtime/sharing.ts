/** Lets the connectors of this process use what it has leased of their accounts. */
import type { Stopwatch } from '../../platform/clock.ts';
import type { Connector } from '../contract/connector.ts';
import { type Account, noShare, type Share } from '../contract/share.ts';
import type { Leased, Leases } from './lease-repository.ts';

export interface Shared {
  name: string;
  account: Account;
  use: Connector['use'];
}

/** To be called more often than `usableMs`. What this process has beyond its due it lets go first, and releases then. */
export async function shareOut(
  leases: Leases,
  connectors: readonly Shared[],
  clock: Stopwatch,
): Promise<void> {
  if (connectors.length === 0) return;
  const askedMs = clock.elapsedMs();
  const leased = await leases.renew(new Map(connectors.map(({ name, account }) => [name, account])));
  const share = (parts: Leased['parts']): Share => ({
    parts: parts.map(({ part }) => part),
    ratePerSecond: parts.reduce((sum, { ratePerSecond }) => sum + ratePerSecond, 0),
    inherited: parts.some(({ inherited }) => inherited),
    forMs: askedMs + leases.usableMs - clock.elapsedMs(),
  });
  await Promise.all(
    connectors.map(async ({ name, use }) => {
      const { parts, most } = leased.get(name) ?? { parts: [], most: 0 };
      const kept = share(parts.slice(0, most));
      await use?.(kept.parts.length > 0 && kept.forMs > 0 ? kept : noShare);
      const beyond = parts.slice(most).map(({ part }) => part);
      if (beyond.length > 0) await leases.release(name, beyond);
    }),
  );
}
