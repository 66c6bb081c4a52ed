/** Decides what counts as an http or https URL, or as that of an archive, in a request or a setting. */

/** RFC 3986, 3.2 to 3.5, without user information. What stands in the brackets is left to the URL parser. */
const uriCharacter = "(?:[\\w\\-.~!$&'()*+,;=]|%[0-9A-Fa-f]{2})";
const httpUri = new RegExp(
  `^https?://(?:\\[[0-9A-Fa-f:.]+\\]|${uriCharacter}+)(?::\\d*)?` +
    `(?:/(?:${uriCharacter}|[:@])*)*(?:\\?(?:${uriCharacter}|[:@/?])*)?(?:#(?:${uriCharacter}|[:@/?])*)?$`,
  'i',
);

/** An absolute http or https URL without user information. */
export function isHttpUrl(text: string): boolean {
  return httpUri.test(text) && URL.canParse(text);
}

/** Over TLS, or to this machine, where nobody reads along. */
export function isSecureUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

/** Of a directory of this machine, or a bucket with a folder in it. */
export function isArchiveUrl(text: string): boolean {
  return URL.canParse(text) && /^(file:\/\/\/|s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](\/|$))/.test(text);
}

/** A name or an address that leads to this machine, and that nobody else can take. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/.test(host);
}

/** Path segments can be appended to the result. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
