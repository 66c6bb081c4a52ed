/** Binds the addresses that a process listens on. */

import { connectionLimit, operatorConnectionLimit } from '../http/bounds.ts';
import { type Listener, listen } from '../http/connections/listener.ts';
import type { Config } from './config.ts';

export interface ApiListeners {
  clients: Listener;
  /** Where clients reach the service; issuer and audience of its tokens. */
  publicUrl: string;
  management: Listener;
}

export async function listenForApi(config: Config): Promise<ApiListeners> {
  const clients = await listen({
    host: config.host,
    port: config.port,
    settings: { host: 'HOST', port: 'PORT' },
    connectionLimit,
  });
  const management = await listen({
    host: config.managementHost,
    port: config.managementPort,
    settings: { host: 'MANAGEMENT_HOST', port: 'MANAGEMENT_PORT' },
    connectionLimit,
  });
  return { clients, publicUrl: config.publicUrl ?? clients.url, management };
}

/** For health, readiness and metrics. */
export function listenForOperators({ metricsHost: host, metricsPort: port }: Config): Promise<Listener> {
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  return listen({ host, port, settings, connectionLimit: operatorConnectionLimit });
}
