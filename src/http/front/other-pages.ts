/** Whether a page of another site has a browser make a call: it needs no permission for a POST without a body. */

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** By the browser's own word; older ones only say where the page comes from, and programs say neither. */
export function isFromOtherPage(headers: Headers): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  const from = String(origin);
  return !URL.canParse(from) || new URL(from).host !== String(host).toLowerCase();
}
