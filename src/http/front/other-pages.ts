/** Whether a page of another site has a browser make a call: it needs no permission for a POST without a body. */
import type { IncomingHttpHeaders } from 'node:http';

/** By the browser's own word; older ones only say where the page comes from, and programs say neither. */
export function isFromOtherPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase();
}
