/** Forms of operations, made from the schemas of their bodies: fields with hints, and the faults that the API finds. */
import type { Input, Operation } from '../../contract/management.ts';
import type { Schema } from '../../contract/types.ts';
import { asTyped, type Content, type Html, html } from '../../docs/render/html.ts';
import type { Refused } from '../api/refused.ts';
import { sentencesOf } from '../errors.ts';
import { at, notice } from '../layout/parts.ts';
import { insideSentence, labelOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';
import { choicesOf } from './choices.ts';
import { type Control, hintOf } from './control.ts';
import { controlOf } from './controls.ts';
import { partsOf, put, valueNamed } from './object-parts.ts';
import { choosing } from './written-controls.ts';

export interface Field {
  input: Input;
  label: string;
  control: Control;
  /** Most people leave it as it is: it stands below the others, folded. */
  isMore?: boolean;
}

/** What the reader fills in. The team of somebody who has one is theirs; what the platform sets, they do not. */
export function fieldsOf(
  { inputs }: Operation,
  { reader, times }: Pick<PageContext, 'reader' | 'times'>,
): Field[] {
  return inputs
    .filter(({ in: place }) => place !== 'path')
    .filter(({ name, schema }) => reader.teamId === undefined || !(name === 'teamId' || schema['x-platform']))
    .flatMap((input) => {
      const whole = { name: input.name, label: labelOf(input.name), schema: input.schema, isNeeded: true };
      const parts = partsOf(whole, '');
      return parts.map(({ name, label, schema, isNeeded }) => ({
        input:
          parts[0] === whole ? input : { ...input, ...inputOfPart(schema), name, required: isNeeded, schema },
        label,
        control: controlOf(schema, { times, isOptional: !isNeeded }),
      }));
    });
}

const inputOfPart = ({ description = '', examples, 'x-option': option = {} }: Schema) => ({
  description,
  example: examples?.[0],
  option,
});

/** The fields filled with the values of a resource. */
export function filledForm(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): URLSearchParams {
  return new URLSearchParams(
    fields.flatMap(({ input: { name }, control }) => control.write(name, valueNamed(values, name))),
  );
}

/** The values of the fields that are given; a name such as `settings.port` is of a part of the object. */
export function valuesIn(fields: readonly Field[], form: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { input, control } of fields) {
    const steps = input.name.split('.');
    // Settings that are not given get their defaults.
    if (steps[0] === 'settings') values.settings ??= {};
    const value = control.read(input.name, form);
    if (value !== undefined) put(values, steps, value);
  }
  return values;
}

export interface Fault {
  /** The property that is wrong; undefined: the whole. */
  name: string | undefined;
  sentence: string;
}

/** The field that a sentence about the whole is about. */
export type Blamed = readonly (readonly [sentence: RegExp, field: string])[];

/** What the API found wrong, for the fields that have it. */
export function faultsOf(refused: Refused, fields: readonly Field[], blamed: Blamed = []): Fault[] {
  const sentences = sentencesOf(refused);
  const { status } = refused;
  if (status !== 400 && status !== 409) return sentences.map((sentence) => ({ name: undefined, sentence }));
  return refused.faults.flatMap((fault, place): Fault[] => {
    const ofSettings = settingFaults(fault, fields);
    if (ofSettings !== undefined) return ofSettings;
    const [, path = '', rest = ''] =
      /^(?:Query parameter |\/)?([A-Za-z]+(?:\/[^\s/]+)*)( .*)$/s.exec(fault) ?? [];
    const field = status === 400 ? fieldAt(path.split('/'), fields) : undefined;
    return field === undefined
      ? [{ name: blamed.find(([words]) => words.test(fault))?.[1], sentence: sentences[place] ?? fault }]
      : [
          {
            name: field.input.name,
            sentence: `${field.label}${placeIn(path, field.input.name)}: ${ruleIn(rest, field.input)}.`,
          },
        ];
  });
}

/** The field that has the value at a path, or else one of its parts. */
function fieldAt(steps: readonly string[], fields: readonly Field[]): Field | undefined {
  const whole = steps.map((_, place) => steps.slice(0, steps.length - place).join('.'));
  const nearest = whole.flatMap((name) => fields.find(({ input }) => input.name === name) ?? []);
  if (nearest[0] !== undefined) return nearest[0];
  const parts = fields.filter(({ input }) => input.name.startsWith(`${steps.join('.')}.`));
  return parts.find(({ input }) => input.required) ?? parts[0];
}

/** Where in the rows of a field: ` 2, text` for `/components/buttons/1/text`. */
function placeIn(path: string, name: string): string {
  const [row, ...inner] = path.split('/').slice(name.split('.').length);
  if (row === undefined || !isIndex(row)) return '';
  const words = inner.map((step) =>
    isIndex(step) ? String(Number(step) + 1) : insideSentence(labelOf(step)),
  );
  return ` ${[Number(row) + 1, words.join(' ')].filter((part) => part !== '').join(', ')}`;
}

const isIndex = (step: string) => /^\d+$/.test(step);

/**
 * What a connector says of its settings, each at its field: `setting "port" must be at most 65535; setting …`. Undefined where
 * any of it is about something that has no field: the sentence is then shown whole.
 */
function settingFaults(fault: string, fields: readonly Field[]): Fault[] | undefined {
  const found: Fault[] = [];
  for (const one of fault.split('; ')) {
    const [before, path = '', ...rule] = one.split('"');
    const [setting] = path.split('.');
    const field = fields.find(({ input }) => input.name === `settings.${setting}`);
    if (before !== 'setting ' || field === undefined) return undefined;
    found.push({
      name: field.input.name,
      sentence: `${field.label}: ${ruleIn(rule.join('"'), field.input)}.`,
    });
  }
  return found;
}

function ruleIn(rest: string, { example }: Input): string {
  const rule = rest.trim().replace(/\.$/, '');
  if (rule.startsWith('must match '))
    return example === undefined ? 'not in the right form' : `written like ${example}`;
  return rule
    .replace(/^must (be|have) (?=at )/, '')
    .replace(/^must have /, '')
    .replace(/^is required$/, 'required')
    .replace(/^must not be empty$/, 'required');
}

export interface Form {
  fields: readonly Field[];
  /** What the fields have. */
  filled: URLSearchParams;
  faults?: readonly Fault[];
  /** Below `/console`. */
  action: string;
  /** On the button. */
  submit: string;
  isDangerous?: boolean;
  /** Where Cancel leads. */
  back: string;
  hidden?: Readonly<Record<string, string | undefined>>;
  /** Above the fields, and below them. */
  intro?: Content;
  end?: Content;
  /** Buttons instead of `submit`. */
  deeds?: Content;
  /** The fields have what is stored: none has to be filled in. */
  isChange?: boolean;
  /** The lists that fields name otherwise than usual. */
  references?: Readonly<Record<string, string>> | undefined;
}

export async function renderForm(page: PageContext, form: Form): Promise<Html> {
  const {
    filled,
    faults = [],
    action,
    submit,
    back,
    hidden = {},
    intro,
    end,
    deeds,
    isChange = false,
    isDangerous = false,
  } = form;
  const fields = await withChoices(form, page);
  return html`<form class="form" method="post" action="${at(action)}">${hiddenFields(hidden)}
${faults.length > 0 && faultSummary(faults)}${intro}
${fields.filter(({ isMore }) => isMore !== true).map((field) => rendered(field, filled, { faults, isChange }))}${moreFields(fields, filled, { faults, isChange })}
${end}<div class="actions">${deeds ?? html`<button class="button main${isDangerous && ' danger'}" type="submit">${submit}</button>`}<a class="button" href="${at(back)}">Cancel</a></div>
</form>`;
}

/** So few folded fields are named. */
const mostNamed = 4;

/** Open where something is filled in or wrong. */
function moreFields(
  all: readonly Field[],
  filled: URLSearchParams,
  shown: { faults: readonly Fault[]; isChange: boolean },
): Content {
  const fields = all.filter(({ isMore }) => isMore);
  if (fields.length === 0) return undefined;
  const isOpen = fields.some(
    ({ input: { name } }) => filled.get(name) || shown.faults.some((fault) => fault.name === name),
  );
  return html`<details class="more-fields"${isOpen && html` open`}><summary>${
    fields.length > mostNamed
      ? `${fields.length} more, each optional`
      : fields.map(({ label }) => label).join(' · ')
  }</summary>${fields.map((field) => rendered(field, filled, shown))}</details>`;
}

/** Fields that name something show what there is, where that is not too much. */
async function withChoices({ fields, references }: Form, page: PageContext): Promise<Field[]> {
  const names = fields.map(({ input }) => input.name);
  const choices = await choicesOf(names, page, { references });
  return fields.map((field) => {
    const some = choices.get(field.input.name);
    if (some === undefined) return field;
    const { note: _, ...control } = field.control;
    return {
      ...field,
      control: { ...control, ...choosing({ isList: field.input.schema.type === 'array' }, some) },
    };
  });
}

export const hiddenFields = (hidden: Readonly<Record<string, string | undefined>>): Content =>
  Object.entries(hidden).map(([name, value]) => value !== undefined && hiddenField(name, value));

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${asTyped(value)}">`;

export function faultSummary(faults: readonly Fault[]): Html {
  const lines = faults.map(({ name, sentence }) =>
    name === undefined ? html`<li>${sentence}</li>` : html`<li><a href="#${idOf(name)}">${sentence}</a></li>`,
  );
  return notice('bad', html`<p><b>Nothing was changed.</b></p><ul>${lines}</ul>`);
}

const idOf = (name: string) => `field-${name}`;

function rendered(
  { input, label, control }: Field,
  filled: URLSearchParams,
  { faults, isChange }: { faults: readonly Fault[]; isChange: boolean },
): Html {
  const { name, required, description } = input;
  const id = idOf(name);
  const own = faults.filter((fault) => fault.name === name);
  const hint =
    description !== '' && html`<p class="hint" id="${id}-hint">${hintOf(description)} ${control.note}</p>`;
  const wrong =
    own.length > 0 &&
    html`<div class="fault" id="${id}-fault">${own.map(({ sentence }) => html`<p>${sentence}</p>`)}</div>`;
  const describedBy = [description !== '' && `${id}-hint`, own.length > 0 && `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  const content = control.render(name, filled, {
    id,
    required,
    describedBy: describedBy === '' ? undefined : describedBy,
    invalid: own.length > 0,
  });
  const words = html`${label}${!required && !isChange && html` <span class="optional">optional</span>`}`;
  return control.isGroup
    ? html`<fieldset class="field"><legend>${words}</legend>${hint}${wrong}${content}</fieldset>`
    : html`<div class="field"><label for="${id}">${words}</label>${hint}${wrong}${content}</div>`;
}
