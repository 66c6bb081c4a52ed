/** Gauges that are read together, once on each scrape. */
import { Gauge, type Registry } from 'prom-client';
import { shared } from './concurrency/cache.ts';

export interface GaugeText {
  name: string;
  help: string;
}

/** Registers the gauges by their key in what `read` returns; a scrape whose read fails leaves them as they were. */
export function watchGauges<Key extends string>(
  registry: Registry,
  gauges: Readonly<Record<Key, GaugeText>>,
  read: () => Promise<Readonly<Record<Key, number>> | undefined>,
): void {
  // A scrape collects all gauges at once.
  const values = shared(() => read().catch(() => undefined));
  for (const key of Object.keys(gauges) as Key[])
    new Gauge({
      ...gauges[key],
      registers: [registry],
      async collect() {
        const value = (await values())?.[key];
        if (value !== undefined) this.set(value);
      },
    });
}
