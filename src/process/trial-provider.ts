/** The simulated SMS provider of a demo, what presets of `http-sms` are tried with, offline. */
import { httpSmsKind } from '../connectors/http-sms/http-sms.ts';
import { callbackAddress } from '../connectors/http-sms/request.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import { checkSettings } from '../connectors/runtime/settings.ts';
import { createProviderResponder, type ProviderAccount } from '../connectors/simulators/http-provider.ts';
import { publishedScripts } from '../connectors/simulators/published-scripts.ts';
import type { Listener } from '../http/connections/listener.ts';
import { inboundPath } from '../http/routes/inbound-routes.ts';
import { connectorSecretsIn, type ProcessContext } from './context.ts';

const path = '/simulated-provider';

/** The listener of the API, which also serves the provider: at an address that stays the same. */
export function withTrialProvider(
  { database, secrets, logger }: Pick<ProcessContext, 'database' | 'secrets' | 'logger'>,
  clients: Listener,
): Listener {
  const connectors = createConnectorRepository(database.knex);
  const openSecrets = connectorSecretsIn(secrets);

  /** As if its owner had entered it in the dashboard of the provider. */
  const callbackOf = async ({ preset, username }: ProviderAccount) => {
    for (const { name, kind, settings, secrets: sealed } of await connectors.load()) {
      if (kind !== 'http-sms' || sealed === null || settings.preset !== preset) continue;
      const checked = checkSettings(httpSmsKind, settings);
      const { port, pathname } = new URL(checked.baseUrl);
      if (port !== String(clients.port) || !pathname.startsWith(`${path}/${preset}`)) continue;
      if (username !== undefined && username !== checked.username) continue;
      const { callbackSecret } = openSecrets(sealed, name);
      return callbackAddress(
        { ...checked, callbackUrl: `${clients.url}${inboundPath}${name}` },
        callbackSecret,
        '',
      );
    }
    return undefined;
  };
  const { respond, close } = createProviderResponder({
    scriptOf: publishedScripts.sms,
    callbackOf,
    placeOf: (address) => withinService(address, clients.url),
    logger,
  });
  return {
    ...clients,
    serve: (others) =>
      clients.serve((request, response) => {
        if (!request.url?.startsWith(`${path}/`)) return others(request, response);
        request.url = request.url.slice(path.length);
        respond(request, response);
      }),
    close: async (limits) => {
      close();
      await clients.close(limits);
    },
  };
}

/** Whatever host a request names: nothing but the inbound calls of this service is called. */
export function withinService({ pathname, search }: URL, serviceUrl: string): URL | undefined {
  if (!pathname.startsWith(inboundPath)) return undefined;
  const place = new URL(serviceUrl);
  place.pathname = pathname;
  place.search = search;
  return place;
}
