/** Reads the metrics of a process that runs beside the tests. */
import { freePort } from '../../../src/free-port.ts';

/** Where a process with these settings will serve its metrics. Its management API gets any free port. */
export async function metricsListener(): Promise<{ settings: Record<string, string>; url: string }> {
  const port = await freePort();
  return {
    settings: { METRICS_PORT: String(port), MANAGEMENT_PORT: '0' },
    url: `http://127.0.0.1:${port}`,
  };
}

/** The value of a metric without labels; NaN when it is not there. */
export async function metric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}
