/** Where a process that runs beside the tests serves its operators, and what its metrics say. */
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { managementPath } from '../../../src/process/management.ts';

export interface OperatorPorts {
  settings: Record<string, string>;
  metricsUrl: string;
  managementUrl: string;
}

/** Where a process with these settings will serve its metrics and its management API. */
export async function operatorPorts(): Promise<OperatorPorts> {
  const [metrics, management] = await Promise.all([freePort(), freePort()]);
  return {
    settings: { METRICS_PORT: String(metrics), MANAGEMENT_PORT: String(management) },
    metricsUrl: `http://127.0.0.1:${metrics}`,
    managementUrl: `http://127.0.0.1:${management}${managementPath}`,
  };
}

/** The value of a metric without labels; NaN when it is not there. */
export async function metric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}
