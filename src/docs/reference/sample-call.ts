/** The call of an operation by curl, with the examples of the document. */
import {
  type ApiDocument,
  type MediaType,
  type NamedOperation,
  type Parameter,
  type RequestBody,
  resolved,
} from './document.ts';

export interface SampleOf {
  document: ApiDocument;
  /** Stands before each path of the document. */
  prefix: string;
}

/** In the form that `readCall` turns into other languages, where they are for clients. */
export function sampleCall({ document, prefix }: SampleOf, operation: NamedOperation): string {
  const { method, parameters = [], requestBody, security } = operation;
  const all = parameters.map((one) => resolved<Parameter>(document, one));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => exampleOf(all, name));
  const query = all
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name }) => `${name}=${encodeURIComponent(exampleOf(all, name))}`);
  const [base, credential] =
    prefix === '' ? ['$TARISHI_URL', '$TOKEN'] : [`http://127.0.0.1:3001${prefix}`, '$TARISHI_ACCESS_KEY'];
  const url = `${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const withToken = security === undefined || security.length > 0;
  const { content = {} } = resolved<RequestBody>(document, requestBody ?? {});
  const [media] = Object.entries(content);
  const words = [
    `curl -s ${method === 'GET' || (method === 'POST' && media !== undefined) ? '' : `-X ${method} `}"${url}"`,
    ...(withToken ? [`-H "Authorization: Bearer ${credential}"`] : []),
    ...all
      .filter(({ in: place, required, name }) => place === 'header' && required && name !== 'Authorization')
      .map(({ name }) => `-H '${name}: ${exampleOf(all, name)}'`),
    ...(media === undefined ? [] : bodyWords(...media)),
  ];
  return words.join(' \\\n  ');
}

function exampleOf(parameters: readonly Parameter[], name: string): string {
  return String(parameters.find((one) => one.name === name)?.example ?? `{${name}}`);
}

function bodyWords(type: string, { examples = {} }: MediaType): string[] {
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
