/** Writes a call in TypeScript, for any runtime that has fetch. */
import type { Call, FormValue } from './call.ts';
import { literal, typescriptSyntax } from './literal.ts';

const quoted = (text: string) => literal(text, typescriptSyntax);
const formValue = (value: FormValue) =>
  typeof value === 'string' ? quoted(value) : `process.env.${value.variable} ?? ''`;

export function inTypescript({ method, url, headers, withToken, json, form, prints }: Call): string {
  const heads = [
    ...(withToken ? ['Authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: ${quoted(method)}`]),
    ...(heads.length === 0 ? [] : [`headers: {\n${heads.map((one) => `    ${one},\n`).join('')}  }`]),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json, typescriptSyntax, 1)})`]),
    ...(form === undefined ? [] : [`body: new URLSearchParams({\n${fieldsOf(form)}  })`]),
  ];
  const shown = prints === undefined ? 'result' : `result.${prints}`;
  return `const response = await fetch(${quoted(url)}, {
${options.map((one) => `  ${one},\n`).join('')}});
const result = await response.json();
console.log(${prints === undefined ? `JSON.stringify(${shown}, null, 2)` : shown});`;
}

function fieldsOf(form: NonNullable<Call['form']>): string {
  return form.map(([name, value]) => `    ${name}: ${formValue(value)},\n`).join('');
}
