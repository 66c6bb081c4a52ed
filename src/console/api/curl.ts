/** Writes calls as curl, without secrets and with masked phone numbers. */
import type { Schema } from '../../contract/types.ts';
import { withMaskedPhones } from '../../manage/access/masking.ts';
import { own } from '../../platform/text/own.ts';
import type { ShownCall } from './api.ts';

/** `$MANAGE` is the address of the API, `$KEY` an access key. */
export function curlOf({ operation, path, request }: ShownCall): string {
  const { method } = operation;
  const lines = [
    `curl -s ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$MANAGE${quotable(masked(path))}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(request.ifMatch === undefined ? [] : [`-H 'If-Match: ${request.ifMatch}'`]),
    ...(request.body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${quotableHere(masked(JSON.stringify(withoutSecrets(request.body, operation.inputs))))}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

/** Secrets by the names of the document, such as those of a connector. */
function withoutSecrets(
  body: unknown,
  inputs: readonly { name: string; in: string; schema: Schema }[],
): unknown {
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const input = inputs.find((one) => one.in === 'body' && one.name === name);
      const isSecret = own({ form: input?.schema['x-option']?.form }, 'form') === 'secrets';
      return [name, isSecret && value !== null ? hidden(value) : value];
    }),
  );
}

const hidden = (secrets: object) =>
  Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, value === null ? null : '…']));

/** Ids may be as long, but begin without a plus. */
const masked = (text: string) => text.replace(/(?:\+|%2B)\d{7,15}/g, withMaskedPhones);

const quotable = (text: string) => text.replaceAll(/["$`\\]/g, '\\$&');
const quotableHere = (text: string) => text.replaceAll("'", `'\\''`);
