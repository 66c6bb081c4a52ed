/** What a registry of metrics says, for tests. */
import type { Registry } from 'prom-client';

/** Each value by the name of its metric, with its labels and without our prefix. */
export async function valuesOf(registry: Registry): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ');
      return [name.replace('tarishi_', ''), Number(value)];
    }),
  );
}
