/** Writes a call in PHP, with its own streams. */
import type { Call, FormValue } from './call.ts';
import { literal, phpSyntax } from './literal.ts';

const quoted = (text: string) => literal(text, phpSyntax);
const formValue = (value: FormValue) =>
  typeof value === 'string' ? quoted(value) : `getenv(${quoted(value.variable)})`;

export function inPhp({ method, url, headers, withToken, json, form, prints }: Call): string {
  const heads = [
    ...(withToken ? ["'Authorization: Bearer ' . getenv('TOKEN')"] : []),
    ...(json === undefined ? [] : ["'Content-Type: application/json'"]),
    ...(form === undefined ? [] : ["'Content-Type: application/x-www-form-urlencoded'"]),
    ...headers.map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
  const options = [
    `'method' => ${quoted(method)}`,
    ...(heads.length === 0
      ? []
      : [`'header' => [\n${heads.map((one) => `        ${one},\n`).join('')}    ]`]),
    ...(json === undefined ? [] : [`'content' => json_encode(${literal(json, phpSyntax, 1)})`]),
    ...(form === undefined ? [] : [`'content' => http_build_query([\n${fieldsOf(form)}    ])`]),
    "'ignore_errors' => true",
  ];
  const shown =
    prints === undefined
      ? 'json_encode($result, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)'
      : `$result->${prints}`;
  return `<?php

$context = stream_context_create(['http' => [
${options.map((one) => `    ${one},\n`).join('')}]]);
$response = file_get_contents(${quoted(url)}, false, $context);
$result = json_decode($response);
echo ${shown}, PHP_EOL;`;
}

function fieldsOf(form: NonNullable<Call['form']>): string {
  return form.map(([name, value]) => `        ${quoted(name)} => ${formValue(value)},\n`).join('');
}
