/** A browser without scripts, for tests: it keeps the cookies of each host, and says where its forms come from. */

export interface Shown {
  status: number;
  headers: Headers;
  text: string;
  /** Where the browser would go next; undefined if it stays. */
  next: string | undefined;
}

export interface Browser {
  /** Undefined fields: a link or an address; else a form of a page at `from`, by default of the same origin. */
  go: (
    url: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Shown>;
  /** The cookies for the host of a URL, by name. */
  cookies: (url: string) => Map<string, string>;
}

export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const cookies = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  return {
    cookies,
    go: async (url, fields, headers = {}) => {
      const jar = cookies(url);
      const response = await fetch(url, {
        redirect: 'manual',
        method: fields === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'text/html',
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          'sec-fetch-site': fields === undefined ? 'none' : 'same-origin',
          'sec-fetch-dest': 'document',
          ...headers,
        },
        ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '' || /max-age=0/i.test(cookie)) jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get('location');
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        next: location === null ? undefined : new URL(location, url).href,
      };
    },
  };
}
