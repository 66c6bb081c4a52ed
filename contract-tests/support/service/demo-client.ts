/** A service with demo data, called as its demo client. */
import { type Answer, type CallOptions, call, tokenFor } from './api.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { type Service, startService } from './service.ts';

/** Without control over the service: it may be one that others use too. */
export interface DemoCaller<Served = Pick<Service, 'demo' | 'dataDirectory' | 'operate'>> {
  service: Served;
  demo: Service['demo'];
  token: string;
  post: (path: string, body: unknown, options?: CallOptions) => Promise<Answer>;
  get: (path: string, token?: string) => Promise<Answer>;
}

/** With a service of its own. */
export type DemoClient = DemoCaller<Service>;

export function demoCaller<Served extends Pick<Service, 'demo'>>(
  service: Served,
  token: string,
): DemoCaller<Served> {
  const { demo } = service;
  return {
    service,
    demo,
    token,
    post: (path, body, options) => call(demo.baseUrl, path, { token, body, ...options }),
    get: (path, by = token) => call(demo.baseUrl, path, { method: 'GET', token: by }),
  };
}

export async function startDemoClient(...how: Parameters<typeof startService>): Promise<DemoClient> {
  const service = await startService(...how);
  return demoCaller(service, await tokenFor(service.demo.baseUrl, service.demo));
}

/** Of a service in the test's process. */
export async function demoCallerIn(
  ...how: Parameters<typeof startInProcess>
): Promise<DemoCaller<InProcess>> {
  const service = await startInProcess(...how);
  return demoCaller(service, await tokenFor(service.demo.baseUrl, service.demo));
}
