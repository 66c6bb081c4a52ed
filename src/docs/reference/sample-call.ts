/** The call of an operation by curl, with the examples of the document. */
import { exampleOf, mediaOf, type TypedMedia } from '../../contract/operations.ts';
import type { DocumentedOperation } from '../../contract/types.ts';

export interface SampleOf {
  /** Stands before each path of the document. */
  prefix: string;
}

/** In the form that `readCall` turns into other languages, where they are for clients. */
export function sampleCall({ prefix }: SampleOf, operation: DocumentedOperation): string {
  const { parameters, requestBody, security } = operation;
  const method = operation.method.toUpperCase();
  const shown = (name: string) => exampleOf(parameters, name) ?? `{${name}}`;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => shown(name));
  const query = parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name }) => `${name}=${encodeURIComponent(shown(name))}`);
  const [base, credential] =
    prefix === '' ? ['$TARISHI_URL', '$TOKEN'] : [`http://127.0.0.1:3001${prefix}`, '$TARISHI_ACCESS_KEY'];
  const url = `${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const withToken = security === undefined || security.length > 0;
  const media = mediaOf(requestBody);
  const words = [
    `curl -s ${method === 'GET' || (method === 'POST' && media !== undefined) ? '' : `-X ${method} `}"${url}"`,
    ...(withToken ? [`-H "Authorization: Bearer ${credential}"`] : []),
    ...parameters
      .filter(({ in: place, required, name }) => place === 'header' && required && name !== 'Authorization')
      .map(({ name }) => `-H '${name}: ${shown(name)}'`),
    ...(media === undefined ? [] : bodyWords(media)),
  ];
  return words.join(' \\\n  ');
}

function bodyWords({ type, examples = {} }: TypedMedia): string[] {
  const [example] = Object.values(examples);
  if (type === 'application/x-www-form-urlencoded')
    return Object.entries((example?.value ?? {}) as Record<string, string>).map(([name, value]) =>
      name === 'client_secret'
        ? '--data-urlencode "client_secret=$TARISHI_CLIENT_SECRET"'
        : `--data-urlencode ${quoted(`${name}=${value}`)}`,
    );
  const text =
    type === 'application/json'
      ? JSON.stringify(example?.value ?? {}, null, 2)
      : String(example?.value ?? '');
  return [`-H 'Content-Type: ${type}'`, `-d ${quoted(text)}`];
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
