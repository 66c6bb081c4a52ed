/** Writes a call in Go, with its standard library. */
import type { Call, FormValue } from './call.ts';
import { jsonSyntax, literal } from './literal.ts';

const quoted = (text: string) => JSON.stringify(text);
const formValue = (value: FormValue) =>
  typeof value === 'string' ? quoted(value) : `os.Getenv(${quoted(value.variable)})`;
const goSyntax = { ...jsonSyntax, indent: '\t' };

export function inGo(call: Call): string {
  const { method, url, headers, withToken, json, form, prints } = call;
  const body = json === undefined ? form && 'form.Encode()' : 'body';
  const heads = [
    ...(withToken ? ['"Authorization", "Bearer "+os.Getenv("TOKEN")'] : []),
    ...(json === undefined ? [] : ['"Content-Type", "application/json"']),
    ...(form === undefined ? [] : ['"Content-Type", "application/x-www-form-urlencoded"']),
    ...headers.map(([name, value]) => `${quoted(name)}, ${quoted(value)}`),
  ];
  return `package main

import (
${importsOf(call)
  .map((one) => `\t"${one}"\n`)
  .join('')})

func main() {
${bodyOf(call)}\trequest, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${body === undefined ? 'nil' : `strings.NewReader(${body})`})
	if err != nil {
		log.Fatal(err)
	}
${heads.map((one) => `\trequest.Header.Set(${one})\n`).join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
${prints === undefined ? printAll : printOne(prints)}}`;
}

const printAll = `	result, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result))
`;

const printOne = (property: string) => `	var result map[string]any
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result[${quoted(property)}])
`;

function importsOf({ withToken, json, form, prints }: Call): string[] {
  const reads = form?.some(([, value]) => typeof value !== 'string');
  return [
    ...(prints === undefined ? [] : ['encoding/json']),
    'fmt',
    ...(prints === undefined ? ['io'] : []),
    'log',
    'net/http',
    ...(form === undefined ? [] : ['net/url']),
    ...(withToken || reads ? ['os'] : []),
    ...(json === undefined && form === undefined ? [] : ['strings']),
  ];
}

function bodyOf({ json, form }: Call): string {
  if (json !== undefined) return `\tbody := \`${literal(json, goSyntax)}\`\n`;
  if (form === undefined) return '';
  // As gofmt aligns them.
  const width = Math.max(...form.map(([name]) => quoted(name).length)) + 1;
  const fields = form.map(
    ([name, value]) => `\t\t${`${quoted(name)}:`.padEnd(width)} {${formValue(value)}},\n`,
  );
  return `\tform := url.Values{\n${fields.join('')}\t}\n`;
}
