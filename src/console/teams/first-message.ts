/** The two commands with which a new client sends its first message. */
import { type Content, html } from '../../docs/render/html.ts';
import { panel } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

interface Added {
  client?: { id: string; teamId: string };
  clientSecret?: string;
}

/** Undefined where the team has nothing to send through yet, or no secret was made. */
export async function firstMessage(page: PageContext, body: Item): Promise<Content> {
  const { client, clientSecret } = body as Added;
  if (client === undefined || clientSecret === undefined) return undefined;
  const { api, publicUrl } = page;
  const { body: services } = await api.look(api.operation('listSmsServices'), {
    query: { teamId: client.teamId, limit: 1 },
  });
  const [service] = (services as { items: { id: string }[] }).items;
  if (service === undefined) return undefined;
  const commands = `TOKEN=$(curl -s '${publicUrl}/oauth/token' -d grant_type=client_credentials \\
  -d client_id=${client.id} --data-urlencode 'client_secret=${clientSecret}' |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s '${publicUrl}/message/${service.id}' \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"type":"SendToMany","addresses":["+254711000000"],"message":"Habari from Tarishi"}'`;
  return panel(
    'Send the first message',
    html`<p class="hint">Two commands for a terminal. Put your own phone number in place of +254711000000.</p><pre tabindex="0">${commands}</pre>`,
  );
}
