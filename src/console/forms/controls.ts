/** Controls of forms, made from schemas: what browsers show, what they send, and the value that it stands for. */
import type { Schema } from '../../contract/types.ts';
import { asTyped, html } from '../../docs/render/html.ts';
import { wordOfState } from '../../model/words/states.ts';
import type { ZonedTimes } from '../layout/times.ts';
import { enumOf, labelOf, wordOf } from '../layout/values.ts';
import { attributesOf, type Control } from './control.ts';
import { partsOf, put, valueNamed } from './object-parts.ts';
import { placeholderRules } from './placeholder-rules.ts';
import { json, lines, numbers, secrets, texts } from './written-controls.ts';

export interface ControlSettings {
  times: ZonedTimes;
  /** Nothing chosen means all. */
  asFilter?: boolean;
  /** In one line. */
  isCompact?: boolean;
  /** Part of something that may be left out: so may the value, and a list without rows. */
  isOptional?: boolean;
}

const mostRadios = 5;
/** Longer texts have several lines; still longer ones are addresses. */
const shortText = 255;
const longestText = 1_000;

export function controlOf(schema: Schema, settings: ControlSettings): Control {
  const { asFilter = false, isCompact = asFilter, isOptional = false, times } = settings;
  const none = asFilter ? 'all' : isOptional || isCompact ? 'none' : undefined;
  const words = enumOf(schema);
  const types = [schema.type ?? []].flat();
  const nothing = types.includes('null') ? null : undefined;
  if (schema['x-option']?.form === 'numbers') return numbers;
  if (schema['x-option']?.form === 'map') return texts;
  if (schema['x-option']?.form === 'secrets') return secrets;
  if (schema['x-option']?.form === 'parameters')
    return placeholderRules(schema.items ?? {}, (part) =>
      controlOf(part, { ...settings, isCompact: true, isOptional: true }),
    );
  if (words !== undefined)
    return words.length > mostRadios || isCompact || isOptional
      ? select(words, none)
      : radios(words.map((word) => [word, wordOf(word)]));
  if (types.includes('boolean')) return asFilter ? select(['true'], none) : isOptional ? choice : yesOrNo;
  if (types.includes('array')) {
    const items = schema.items ?? {};
    if (items.type !== 'object') return lines;
    const all = rows(items, schema.maxItems, settings);
    return isOptional ? { ...all, read: (name, form) => filledOnly(all.read(name, form)) } : all;
  }
  if (types.includes('object')) return json;
  if (types.includes('integer') || types.includes('number')) return number(nothing);
  if (schema.format === 'date-time') return time(times, nothing, asFilter);
  const { maxLength = 0, pattern } = schema;
  const isLong =
    pattern === undefined &&
    maxLength > shortText &&
    (maxLength <= longestText || schema['x-option']?.form === 'text');
  return text(nothing, isLong && !isCompact, schema.maxLength);
}

function text(nothing: null | undefined, isLong: boolean, maxLength: number | undefined): Control {
  const most = maxLength !== undefined && html` maxlength="${maxLength}"`;
  return {
    render: (name, form, attributes) =>
      isLong
        ? html`<textarea name="${name}" rows="4" dir="auto"${most}${attributesOf(attributes)}>
${asTyped(form.get(name))}</textarea>`
        : html`<input name="${name}" type="text" autocomplete="off" dir="auto" value="${asTyped(form.get(name))}"${most}${attributesOf(attributes)}>`,
    read: (name, form) => form.get(name) || nothing,
    write: written,
  };
}

const written = (name: string, value: unknown): [string, string][] =>
  value === undefined || value === null ? [] : [[name, String(value).replaceAll('\r\n', '\n')]];

function number(nothing: null | undefined): Control {
  return {
    render: (name, form, attributes) =>
      html`<input name="${name}" type="text" inputmode="numeric" autocomplete="off" value="${asTyped(form.get(name))}"${attributesOf(attributes)}>`,
    read: (name, form) => {
      const given = form.get(name)?.trim() ?? '';
      if (given === '') return nothing;
      const value = Number(given.replaceAll(/[ ,]/g, ''));
      // The API says what is wrong with anything else.
      return Number.isNaN(value) ? given : value;
    },
    write: written,
  };
}

function time(times: ZonedTimes, nothing: null | undefined, asFilter: boolean): Control {
  return {
    render: (name, form, attributes) =>
      html`<span class="time"><input name="${name}" type="datetime-local" step="1" value="${asTyped(form.get(name))}"${attributesOf(attributes)}>${!asFilter && ` ${times.zone}`}</span>`,
    read: (name, form) => {
      const given = form.get(name) ?? '';
      return given === '' ? nothing : (times.instantOf(given) ?? given);
    },
    write: (name, value) => (typeof value === 'string' ? [[name, times.local(value)]] : []),
  };
}

/** A state in the words of the lists, with its name in the API, which tells two of them apart. */
function optionOf(word: string): string {
  const state = wordOfState(word);
  return state === word ? wordOf(word) : `${state} (${word})`;
}

/** `none`: what choosing nothing is called, where that can be chosen again. */
function select(words: readonly string[], none: string | undefined): Control {
  return {
    render: (name, form, attributes) =>
      html`<select name="${name}"${attributesOf(attributes)}>${
        (none !== undefined || !form.get(name)) && html`<option value="">${none}</option>`
      }${words.map(
        (word) =>
          html`<option value="${word}"${form.get(name) === word && html` selected`}>${optionOf(word)}</option>`,
      )}</select>`,
    read: (name, form) => form.get(name) || undefined,
    write: written,
  };
}

function radios(choices: readonly (readonly [value: string, label: string])[]): Control {
  return {
    isGroup: true,
    render: (name, form, { id, required, describedBy }) =>
      html`<div class="choices">${choices.map(
        ([value, label], place) =>
          html`<label><input type="radio" name="${name}" value="${value}"${place === 0 && html` id="${id}"`}${required && html` required`}${
            describedBy !== undefined && html` aria-describedby="${describedBy}"`
          }${form.get(name) === value && html` checked`}> ${label}</label>`,
      )}</div>`,
    read: (name, form) => form.get(name) || undefined,
    write: written,
  };
}

const yesAndNo = radios([
  ['true', 'Yes'],
  ['false', 'No'],
]);
const yesOrNo: Control = {
  ...yesAndNo,
  read: (name, form) => (form.has(name) ? form.get(name) === 'true' : undefined),
};

/** Yes or no of what may be left out. */
const choice: Control = {
  ...select(['true', 'false'], 'none'),
  read: (name, form) => (form.get(name) ? form.get(name) === 'true' : undefined),
};

const filledOnly = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value);

const spareRows = 2;
const noFields = new URLSearchParams();

/** A list of objects: a row of fields for each, and some to add; a row without a value is none. */
function rows(schema: Schema, maxItems: number | undefined, settings: ControlSettings): Control {
  const isNeeded = (name: string) => schema.required?.includes(name) ?? false;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    partsOf({ name, label: labelOf(name), schema: inner, isNeeded: isNeeded(name) }).map((part) => ({
      ...part,
      control: controlOf(part.schema, { ...settings, isCompact: true, isOptional: !part.isNeeded }),
    })),
  );
  // One more than the API takes, which says so.
  const most = maxItems === undefined ? Number.POSITIVE_INFINITY : maxItems + 1 + spareRows;
  /** Each row by its number, as a form of its own: a field is looked for in its row, not in the whole form. */
  const rowsIn = (name: string, form: URLSearchParams): Map<number, URLSearchParams> => {
    const found = new Map<number, URLSearchParams>();
    for (const [key, value] of form) {
      if (!key.startsWith(`${name}.`)) continue;
      const number = Number(key.slice(name.length + 1).split('.', 1)[0]);
      const row = found.get(number) ?? new URLSearchParams();
      if (found.size < most) found.set(number, row);
      row.append(key, value);
    }
    return found;
  };
  const isFilled = (name: string, number: number, row: URLSearchParams) =>
    fields.some((field) => field.control.isGroup !== true && row.get(`${name}.${number}.${field.name}`));
  const filledIn = (name: string, form: URLSearchParams) =>
    [...rowsIn(name, form)].filter(([number, row]) => isFilled(name, number, row));
  return {
    isGroup: true,
    render: (name, form, { id }) => {
      const filled = filledIn(name, form);
      const next = Math.max(-1, ...filled.map(([number]) => number)) + 1;
      const spare = Array.from({ length: spareRows }, (_, place) => [next + place, noFields] as const);
      const shown = [...filled, ...spare];
      return html`<div class="rows" id="${id}">${shown.map(
        ([number, row]) =>
          html`<div class="row">${fields.map((field) => {
            const fieldId = `${id}-${number}-${field.name}`;
            const content = field.control.render(`${name}.${number}.${field.name}`, row, {
              id: fieldId,
              required: false,
              describedBy: undefined,
              invalid: false,
            });
            return field.control.isGroup
              ? html`<fieldset><legend>${field.label}</legend>${content}</fieldset>`
              : html`<label for="${fieldId}"><span>${field.label}</span>${content}</label>`;
          })}</div>`,
      )}</div>`;
    },
    read: (name, form) =>
      filledIn(name, form).map(([number, row]) => {
        const values: Record<string, unknown> = {};
        for (const field of fields) {
          const value = field.control.read(`${name}.${number}.${field.name}`, row) ?? undefined;
          if (value !== undefined) put(values, field.name.split('.'), value);
        }
        return values;
      }),
    write: (name, value) =>
      (Array.isArray(value) ? value : []).flatMap((one, row) =>
        fields.flatMap((field) =>
          field.control.write(
            `${name}.${row}.${field.name}`,
            valueNamed(one as Record<string, unknown>, field.name),
          ),
        ),
      ),
  };
}
