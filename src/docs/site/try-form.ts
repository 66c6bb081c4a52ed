/** The form on the page of an operation that calls it; docs/assets/try-operation.js makes it work. */
import { mediaOf } from '../../contract/operations.ts';
import type { DocumentedOperation, Media, Parameter } from '../../contract/types.ts';
import { asTyped, type Content, type Html, html, relativeLink } from '../render/html.ts';
import type { Credentials, DemoAccess } from './personal.ts';

export interface TriedOperation {
  /** Stands before each path of the document; empty for the public API. */
  prefix: string;
  operation: DocumentedOperation;
}

/** `path`: of the page. With `access`, that of a demo, the first request is authorized. */
export function tryForm(
  { prefix, operation }: TriedOperation,
  path: string,
  { client, accessKey }: DemoAccess = {},
): Html {
  const link = (target: string) => relativeLink(path, target);
  const media = mediaOf(operation.requestBody);
  const type = media?.type ?? '';
  const isForm = type === 'application/x-www-form-urlencoded';
  return html`<form class="tester" id="try" data-method="${operation.method.toUpperCase()}" data-path="${operation.path}" data-base="${link(`${prefix}/`)}" data-token="${link('/oauth/token')}" data-errors="${link('/docs/errors/')}" data-type="${type}">
${prefix === '' ? clientFields(operation, client) : keyField(accessKey)}${parameterFields(operation.parameters)}${isForm ? formFields(media, client) : bodyField(media)}<p class="buttons"><button type="submit">Send</button></p>
<p id="try-state" role="status"></p>
<div class="code" id="try-result" hidden><pre tabindex="0"><code></code></pre></div>
</form>
<noscript><p>The form needs JavaScript.</p></noscript>
`;
}

function clientFields({ security }: DocumentedOperation, client: Credentials | undefined): Content {
  if (security?.length === 0) return '';
  if (client === undefined)
    return [
      textField('access', 'client_id', 'Client id'),
      secretField('access', 'client_secret', 'Client secret'),
    ];
  return html`<p>Authorized as the client <code>${client.clientId}</code> of this demo.${hiddenField('client_id', client.clientId)}${hiddenField('client_secret', client.clientSecret)}</p>\n`;
}

function keyField(accessKey: string | undefined): Content {
  return accessKey === undefined
    ? secretField('access', 'key', 'Access key')
    : html`<p>Authorized as the owner of this demo.${hiddenField('key', accessKey)}</p>\n`;
}

function hiddenField(name: string, value: string): Content {
  return html`<input type="hidden" data-in="access" name="${name}" value="${value}">`;
}

/** What a request needs first; the rest is folded. */
function parameterFields(parameters: readonly Parameter[]): Content {
  const field = ({ name, in: place, required = false, example = '' }: Parameter) =>
    required
      ? textField(place, name, name, { value: String(example), isCode: true })
      : textField(place, name, name, { placeholder: String(example), isCode: true });
  const needed = parameters.filter(({ required = false }) => required);
  const others = parameters.filter(({ required = false }) => !required);
  const folded =
    others.length === 0
      ? ''
      : html`<details><summary>Optional parameters</summary><div class="fields">${others.map(field)}</div></details>\n`;
  return html`${needed.map(field)}${folded}`;
}

function bodyField({ examples }: Partial<Media> = {}): Content {
  const shown = Object.entries(examples ?? {}).map(([name, { summary = name, value }]) => ({
    summary,
    text: JSON.stringify(value, null, 2),
  }));
  const [first] = shown;
  if (first === undefined) return '';
  const options = shown.map(
    ({ summary, text }) => html`<option value="${asTyped(text)}">${summary}</option>`,
  );
  const choice =
    shown.length === 1
      ? ''
      : html`<label for="try-example">Example</label><select id="try-example">${options}</select>\n`;
  const rows = Math.min(first.text.split('\n').length + 1, 18);
  // A line break after the tag is not part of the text.
  return html`${choice}<label for="try-body">Body</label><textarea id="try-body" rows="${rows}" spellcheck="false" autocomplete="off">\n${asTyped(first.text)}</textarea>\n`;
}

function formFields({ examples = {} }: Partial<Media> = {}, credentials: Credentials | undefined): Content {
  const [example] = Object.values(examples);
  return Object.entries(Object(example?.value)).map(([name, value]) =>
    name === 'client_secret'
      ? secretField('form', name, name, credentials?.clientSecret)
      : textField('form', name, name, {
          value: String(name === 'client_id' ? (credentials?.clientId ?? value) : value),
          isCode: true,
        }),
  );
}

interface Look {
  value?: string;
  placeholder?: string;
  /** The label is a name of the contract. */
  isCode?: boolean;
}

function textField(
  place: string,
  name: string,
  label: string,
  { value = '', placeholder, isCode = false }: Look = {},
): Content {
  const id = `try-${place}-${name}`;
  const words = isCode ? html`<code>${label}</code>` : label;
  const rest =
    placeholder === undefined ? html` value="${value}" required` : html` placeholder="${placeholder}"`;
  return html`<label for="${id}">${words}</label><input id="${id}" data-in="${place}" name="${name}" spellcheck="false" autocomplete="off"${rest}>\n`;
}

function secretField(place: string, name: string, label: string, value = ''): Content {
  const id = `try-${place}-${name}`;
  return html`<label for="${id}">${label}</label><input id="${id}" type="password" data-in="${place}" name="${name}" autocomplete="off" value="${value}" required>\n`;
}
