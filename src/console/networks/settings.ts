/** A field for each setting and secret of a kind of connector, as the document has them. */
import type { Preset } from '../../connectors/contract/kind.ts';
import { connectorKinds, isKindName } from '../../connectors/runtime/kinds.ts';
import type { Input } from '../../contract/management.ts';
import type { Schema } from '../../contract/types.ts';
import { html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { attributesOf, type Control } from '../forms/control.ts';
import { controlOf } from '../forms/controls.ts';
import type { Field } from '../forms/form.ts';
import { linesIn, textarea } from '../forms/written-controls.ts';
import type { PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

/** The kinds to choose from, each in a word or two. */
export const kinds: Readonly<Record<string, string>> = {
  smpp: 'SMS through an SMSC, by SMPP',
  'http-sms': 'SMS through a provider, by HTTP',
  bundles: 'Mobile data through a provider, by HTTP',
  whatsapp: 'Chat-app messages through WhatsApp',
  simulator: 'Simulated SMS, for tests',
  'bundle-simulator': 'Simulated mobile data, for tests',
  'chat-simulator': 'A simulated chat app, for tests',
};

/** The providers that a preset knows, each with what the form for it is called with. */
export const presetChoices = Object.entries(connectorKinds).flatMap(([kind, { presets = {} }]) =>
  Object.entries(presets).map(([preset, { title }]) => ({
    label: `SMS through ${title}`,
    query: new URLSearchParams({ kind, 'settings.preset': preset }).toString(),
  })),
);

/** What a form for a new connector begins with. */
export const begunConnector = (filled: URLSearchParams): Item => ({
  settings: { preset: filled.get('settings.preset') ?? undefined },
});

function presetOf(kind: string, item: Item | undefined): Preset | undefined {
  const { preset } = (item?.settings ?? {}) as { preset?: unknown };
  if (!isKindName(kind) || typeof preset !== 'string') return undefined;
  return own(connectorKinds[kind].presets, preset);
}

/** `item`: the connector that is changed. Without a kind the fields stay as they are. */
export function fieldsOfKind(
  fields: readonly Field[],
  kind: string | undefined,
  { times }: Pick<PageContext, 'times'>,
  item?: Item,
): Field[] {
  if (kind === undefined) return [...fields];
  const preset = presetOf(kind, item);
  const stored = (item?.secretNames ?? []) as readonly string[];
  const all = fields.flatMap((field): Field[] => {
    const { name, schema } = field.input;
    const ofKind = settingsOf(kind, fields);
    if (name === 'settings')
      return Object.entries(ofKind?.properties ?? {}).map(([setting, one]) => {
        const open = preset === undefined ? ofKind?.required : [...preset.open, 'preset'];
        const isRequired = open?.includes(setting) ?? false;
        return {
          input: inputOf(field.input, setting, under(preset, setting, one), isRequired),
          label: labelOfSetting(setting),
          control:
            preset !== undefined && setting === 'preset'
              ? hidden(one.enum, preset.title)
              : controlOfSetting(one, times),
          isMore: !isRequired && !isAsked(setting, preset === undefined ? ofKind : undefined),
        };
      });
    if (name === 'secrets')
      return (ofKind?.['x-secrets'] ?? []).map((secret) => ({
        input: {
          ...field.input,
          name: `secrets.${secret.name}`,
          required: secret.required && !stored.includes(secret.name),
          description: `${secret.description}${stored.includes(secret.name) ? ' It is set; empty: it stays.' : ''}`,
          schema: { type: 'string' },
          option: schema['x-option'] ?? {},
        },
        label: labelOfSetting(secret.name),
        control: password(stored.includes(secret.name) && !secret.required),
      }));
    return name === 'kind'
      ? [{ ...field, input: { ...field.input, required: true }, control: fixed(kind) }]
      : [field];
  });
  // What must be given comes first, secrets too.
  return [...all.filter(({ isMore }) => !isMore), ...all.filter(({ isMore }) => isMore)];
}

/** Those without which most connectors do not work. */
const isAsked = (setting: string, schema: Schema | undefined): boolean =>
  ['port', 'products', 'callbackUrl'].includes(setting) ||
  (setting === 'baseUrl' && schema !== undefined && schema.properties?.baseUrl?.default === undefined);

/** What a preset says is what counts if nothing is entered. */
function under(preset: Preset | undefined, setting: string, schema: Schema): Schema {
  const value = own(preset?.settings, setting);
  return value === undefined || typeof value === 'object' ? schema : { ...schema, default: value };
}

const abbreviations: Readonly<Record<string, string>> = {
  api: 'API',
  tls: 'TLS',
  msisdn: 'MSISDN',
  url: 'URL',
};

/** Such as `System id`: unlike the names of resources, settings keep all of their words. */
function labelOfSetting(name: string): string {
  const words = name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(' ')
    .map((word) => own(abbreviations, word) ?? word)
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Another kind has other fields: it is chosen before. */
const fixed = (kind: string): Control => ({
  isGroup: true,
  render: (name) =>
    html`<input type="hidden" name="${name}" value="${kind}"><p>${own(kinds, kind) ?? kind}</p>`,
  read: (name, form) => form.get(name) || undefined,
  write: (name, value) => (typeof value === 'string' ? [[name, value]] : []),
});

/** The preset that was chosen before. */
const hidden = (names: readonly unknown[] = [], title: string): Control => ({
  isGroup: true,
  render: (name, form) => {
    const value = form.get(name) ?? '';
    return html`<input type="hidden" name="${name}" value="${names.includes(value) ? value : ''}"><p>${title}</p>`;
  },
  read: (name, form) => form.get(name) || undefined,
  write: (name, value) => (typeof value === 'string' ? [[name, value]] : []),
});

function settingsOf(kind: string, fields: readonly Field[]): Schema | undefined {
  const settings = fields.find(({ input }) => input.name === 'settings');
  return settings?.input.schema.anyOf?.find((one) => one['x-kind'] === kind);
}

function inputOf(input: Input, name: string, schema: Schema, required: boolean): Input {
  const { default: fallback } = schema;
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? ` ${schema.minimum} to ${schema.maximum}.`
      : '';
  const otherwise =
    fallback === undefined || fallback === '' || typeof fallback === 'object'
      ? ''
      : ` Empty: \`${String(fallback)}\`.`;
  return {
    ...input,
    name: `settings.${name}`,
    required,
    description: `${schema.description ?? ''}${range}${otherwise}`,
    example: schema.examples?.[0],
    schema,
    option: schema['x-option'] ?? {},
  };
}

function controlOfSetting(schema: Schema, times: PageContext['times']): Control {
  const { form } = schema['x-option'] ?? {};
  if (form === 'products') return products;
  if (form === 'map' || form === 'map-of-maps') return map({ isNested: form === 'map-of-maps' });
  return controlOf(schema, { times });
}

/** What is typed is sent, and never shown again. */
const password = (mayBeRemoved: boolean): Control => ({
  render: (name, _form, attributes) =>
    html`<input name="${name}" type="password" autocomplete="new-password"${attributesOf(attributes)}>${
      mayBeRemoved &&
      html`<label class="choice"><input type="checkbox" name="${name}.remove" value="true"> Remove it</label>`
    }`,
  read: (name, form) => (form.get(`${name}.remove`) === 'true' ? null : form.get(name) || undefined),
  write: () => [],
});

const pairOf = (line: string): [string, string] => {
  const place = line.indexOf('=');
  return place === -1 ? [line, ''] : [line.slice(0, place).trim(), line.slice(place + 1).trim()];
};

/** An object, one `name=value` per line. `isNested`: its values are objects too, and `first.second=value` is a part of one. */
const map = ({ isNested }: { isNested: boolean }): Control => ({
  note: 'One per line, such as name=value.',
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 3),
  read: (name, form) => {
    const pairs = linesIn(form.get(name)).map(pairOf);
    if (pairs.length === 0) return undefined;
    const read: Record<string, unknown> = {};
    for (const [key, value] of pairs) {
      const [first = '', ...rest] = isNested ? key.split('.') : [key];
      read[first] =
        rest.length === 0 ? value : { ...(own(read, first) as object | undefined), [rest.join('.')]: value };
    }
    return read;
  },
  write: (name, value) => [
    [
      name,
      Object.entries((value ?? {}) as Record<string, unknown>)
        .flatMap(([key, inner]) =>
          inner !== null && typeof inner === 'object'
            ? Object.entries(inner).map(([last, one]) => `${key}.${last}=${String(one)}`)
            : [`${key}=${String(inner)}`],
        )
        .join('\n'),
    ],
  ],
});

/** A code, or a value with its unit and validity: `1GB=D1000`, or `1GB=1 GB P30D`. */
const products: Control = {
  note: 'One per line, such as 500MB=D500, or 1GB=1 GB P30D.',
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 3),
  read: (name, form) => {
    const pairs = linesIn(form.get(name)).map(pairOf);
    if (pairs.length === 0) return undefined;
    return Object.fromEntries(
      pairs.map(([denomination, written]) => {
        const [first = '', unit, validity] = written.split(/\s+/);
        if (unit === undefined) return [denomination, { code: first }];
        return [
          denomination,
          { value: Number(first), unit, ...(validity === undefined ? {} : { validity }) },
        ];
      }),
    );
  },
  write: (name, value) => [
    [
      name,
      Object.entries((value ?? {}) as Record<string, Record<string, unknown>>)
        .map(([denomination, { code, value: amount, unit, validity }]) =>
          code === undefined
            ? `${denomination}=${[amount, unit, validity].filter((one) => one !== undefined).join(' ')}`
            : `${denomination}=${String(code)}`,
        )
        .join('\n'),
    ],
  ],
};
