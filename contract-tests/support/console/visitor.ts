/** Opens pages of the console, for tests. */

export interface Opened {
  status: number;
  headers: Headers;
  /** The whole page. */
  text: string;
  /** Where a form led, or undefined. */
  location: string | undefined;
}

/** Several fields of one name in a list of pairs. */
type FormFields = Readonly<Record<string, string>> | [name: string, value: string][];

export interface Visitor {
  open: (path: string) => Promise<Opened>;
  /** As the script of a page asks for it anew. */
  refresh: (path: string) => Promise<Opened>;
  /** Sends the form of the page at `path`, with what the page filled in and `values` over it. */
  send: (path: string, values?: Readonly<Record<string, string>>) => Promise<Opened>;
  /** Sends these fields only. */
  post: (path: string, fields: FormFields) => Promise<Opened>;
  /** What a browser would send for the form of this page, were nothing changed. */
  fields: (path: string) => Promise<Record<string, string>>;
  /** The same of a form in a page, by the path that it is sent to. */
  fieldsIn: (page: string, action: string) => Record<string, string>;
}

/** `url` of the listener; `headers` say who it is. */
export function visitorAt(url: string, headers: Readonly<Record<string, string>> = {}): Visitor {
  const fetched = async (path: string, init: RequestInit = {}): Promise<Opened> => {
    const response = await fetch(`${url}/console${path}`, {
      ...init,
      headers: { 'sec-fetch-site': 'same-origin', ...headers, ...init.headers },
      redirect: 'manual',
    });
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location')?.replace(/^\/console/, ''),
    };
  };
  const post: Visitor['post'] = (path, fields) =>
    fetched(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const fields: Visitor['fields'] = async (path) =>
    fieldsIn((await fetched(path)).text, path.replace(/\?.*/, ''));
  return {
    open: (path) => fetched(path),
    refresh: (path) => fetched(path, { headers: { 'sec-fetch-dest': 'empty' } }),
    post,
    fields,
    fieldsIn,
    send: async (path, values = {}) => post(path.replace(/\?.*/, ''), { ...(await fields(path)), ...values }),
  };
}

function fieldsIn(page: string, action: string): Record<string, string> {
  const [, form = ''] = page.split(`method="post" action="/console${action}">`);
  const [inside = ''] = form.split('</form>');
  const fields: [string, string][] = [];
  for (const [tag] of inside.matchAll(/<input [^>]*>/g)) {
    const [name, type, value] = ['name', 'type', 'value'].map((one) => attribute(tag, one));
    const isChoice = type === 'radio' || type === 'checkbox';
    if (name !== undefined && (!isChoice || tag.includes(' checked'))) fields.push([name, value ?? '']);
  }
  for (const [, tag = '', text = ''] of inside.matchAll(/<textarea ([^>]*)>\n?([^<]*)</g))
    fields.push([attribute(`< ${tag}`, 'name') ?? '', unescaped(text)]);
  for (const [, tag = '', options = ''] of inside.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)) {
    const chosen = /<option value="([^"]*)" selected/.exec(options)?.[1];
    fields.push([attribute(`< ${tag}`, 'name') ?? '', unescaped(chosen ?? '')]);
  }
  const byName = Map.groupBy(fields, ([name]) => name);
  // Several values of a field stand for a list, which forms also take as lines.
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, all.map(([, value]) => value).join('\n')]),
  );
}

function attribute(tag: string, name: string): string | undefined {
  const value = tag.split(` ${name}="`)[1]?.split('"')[0];
  return value === undefined ? undefined : unescaped(value);
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
