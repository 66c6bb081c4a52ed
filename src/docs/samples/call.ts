/** Reads the curl commands of the guides: each is the source of a sample in every language. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One HTTP call. */
export interface Call {
  method: 'GET' | 'POST';
  /** With its query. */
  url: string;
  /** Without Authorization and Content-Type. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Whether it carries the bearer token of the environment variable TOKEN. */
  withToken: boolean;
  json?: Json;
  form?: readonly (readonly [name: string, value: FormValue])[];
  /** The property of the response that the sample prints; all of it if undefined. */
  prints?: string;
}

/** A text, or the name of the environment variable that has it. */
export type FormValue = string | { variable: string };

/** Undefined if the command is anything but one call by curl. */
export function readCall(command: string): Call | undefined {
  const [, assigned, property] =
    /^[A-Z]+=\$\((curl [^|]*?) \|\s*sed 's\/\.\*"(\w+)":[^|]*'\)$/.exec(command.trim()) ?? [];
  const options = readOptions(shellWords(assigned ?? command) ?? []);
  const call = options === undefined ? undefined : callOf(options);
  return call === undefined || property === undefined ? call : { ...call, prints: property };
}

interface Options {
  method?: 'POST';
  url: string;
  isQuery: boolean;
  headers: [string, string][];
  data: string[];
}

function readOptions([program, ...words]: readonly string[]): Options | undefined {
  if (program !== 'curl') return undefined;
  const options: Options = { url: '', isQuery: false, headers: [], data: [] };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-s') continue;
    if (word === '-G') options.isQuery = true;
    else if (word === '-X' && words[at + 1] === 'POST') options.method = words[++at] as 'POST';
    else if (word.startsWith('http')) options.url = word;
    else if (word === '-H') options.headers.push(headerOf(words[++at] ?? ''));
    else if (word === '-d' || word === '--data-urlencode') options.data.push(words[++at] ?? '');
    else return undefined;
  }
  return options.url === '' ? undefined : options;
}

function headerOf(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1).trim()];
}

function callOf({ method, url, isQuery, headers, data }: Options): Call {
  const isJson = headers.some(([name, value]) => name === 'Content-Type' && value === 'application/json');
  const call: Call = {
    method: method ?? (data.length === 0 || isQuery ? 'GET' : 'POST'),
    url,
    headers: headers.filter(([name]) => name !== 'Authorization' && name !== 'Content-Type'),
    withToken: headers.some(([, value]) => value === 'Bearer $TOKEN'),
  };
  if (data.length === 0) return call;
  if (isJson) return { ...call, json: JSON.parse(data.join('&')) };
  const fields = data.map(fieldOf);
  return isQuery ? { ...call, url: `${url}?${queryOf(fields)}` } : { ...call, form: fields };
}

function fieldOf(text: string): [string, FormValue] {
  const equals = text.indexOf('=');
  const value = text.slice(equals + 1);
  const [, variable] = /^\$([A-Z_]+)$/.exec(value) ?? [];
  return [text.slice(0, equals), variable === undefined ? value : { variable }];
}

function queryOf(fields: readonly (readonly [string, FormValue])[]): URLSearchParams {
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
}

/** The words of a shell command. Undefined if the command is more than words: pipes, substitutions, several commands. */
function shellWords(command: string): string[] | undefined {
  const words: string[] = [];
  let rest = command.replaceAll('\\\n', ' ').trim();
  while (rest !== '') {
    let word = '';
    while (rest !== '' && !/^\s/.test(rest)) {
      const [all = '', ...parts] = /^(?:'([^']*)'|"([^"\\`]*)"|([^\s'"\\|;&<>()`]+))/.exec(rest) ?? [];
      const [single, double, plain] = parts;
      const part = single ?? double ?? plain;
      if (part === undefined || (single === undefined && part.includes('$('))) return undefined;
      word += part;
      rest = rest.slice(all.length);
    }
    words.push(word);
    rest = rest.trimStart();
  }
  return words;
}
