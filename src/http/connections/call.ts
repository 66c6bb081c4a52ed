/** Calls a JSON API, over a network or over a connection that is already made. */
import { type RequestOptions as HttpOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Request {
  method: string;
  /** Below the address of the API, with the query. */
  path: string;
  body?: unknown;
  ifMatch?: string | undefined;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed if it is JSON, otherwise the text; undefined if there is none. */
  body: unknown;
}

/** Rejects if there is no response, none within `options.timeout`, or none in JSON where its type says so. `options`: of Node, with more headers. */
export function send(
  url: string,
  { method, path, body, ifMatch }: Request,
  options: HttpOptions,
): Promise<Answer> {
  const written = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    ...options.headers,
    ...(written === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(written) }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
  return new Promise((resolve, reject) => {
    const { protocol, pathname } = new URL(url);
    const request = protocol === 'https:' ? requestHttps : requestHttp;
    const sent = request(
      url,
      // As it is: in a URL, `%2E%2E` would lead to the path above.
      { ...options, path: `${pathname.replace(/\/$/, '')}${path}`, method: method.toUpperCase(), headers },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response)
          .then((content) => {
            const isJson = headers['content-type']?.startsWith('application/json');
            resolve({ status, headers, body: isJson ? JSON.parse(content) : content || undefined });
          })
          .catch(reject);
      },
    );
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`it was silent for ${options.timeout} ms`)));
    sent.end(written);
  });
}
