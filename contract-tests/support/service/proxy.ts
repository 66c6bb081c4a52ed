/** With TARISHI_THROUGH=proxy there is a validating proxy before each service. */
import { startProxy } from '../document/prism.ts';

/** The address of the proxy before each service. */
const proxies = new Map<string, string>();

/** Puts a proxy before a service, if this test run wants one. */
export async function proxied(
  baseUrl: string,
): Promise<{ proxyUrl: string | undefined; removeProxy: () => Promise<void> }> {
  if (process.env.TARISHI_THROUGH !== 'proxy') return { proxyUrl: undefined, removeProxy: async () => {} };
  const proxy = await startProxy(baseUrl);
  useProxy(baseUrl, proxy.baseUrl);
  return {
    proxyUrl: proxy.baseUrl,
    removeProxy: async () => {
      proxies.delete(baseUrl);
      await proxy.stop();
    },
  };
}

/** Sends what is for `baseUrl` through a proxy that another process has put before it. */
export function useProxy(baseUrl: string, proxyUrl: string): void {
  proxies.set(baseUrl, proxyUrl);
}

/** Undefined where there is none. */
export function proxyOf(baseUrl: string): string | undefined {
  return proxies.get(baseUrl);
}
