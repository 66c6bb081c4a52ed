/** A service of its own for one test file, called as its demo client. */
import { type Answer, type CallOptions, call, tokenFor } from './api.ts';
import { type Service, startService } from './service.ts';

export interface DemoClient {
  service: Service;
  demo: Service['demo'];
  token: string;
  post: (path: string, body: unknown, options?: CallOptions) => Promise<Answer>;
}

export async function startDemoClient(settings: Record<string, string> = {}): Promise<DemoClient> {
  const service = await startService(settings);
  const { demo } = service;
  const token = await tokenFor(demo.baseUrl, demo);
  const post: DemoClient['post'] = (path, body, options) =>
    call(demo.baseUrl, path, { token, body, ...options });
  return { service, demo, token, post };
}
