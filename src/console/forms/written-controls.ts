/** Controls for values that are written as several lines, and those that choose from a list instead. */
import { asTyped, html } from '../../docs/render/html.ts';
import { type Attributes, attributesOf, type Control } from './control.ts';

export const textarea = (name: string, value: string | null, attributes: Attributes, rowCount: number) =>
  html`<textarea class="code" name="${name}" rows="${rowCount}" spellcheck="false"${attributesOf(attributes)}>
${asTyped(value)}</textarea>`;

export const linesIn = (text: string | null) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Of a field with several lines, or of several fields with this name. */
const linesOf = (name: string, form: URLSearchParams) => linesIn(form.getAll(name).join('\n'));

/** Instead of a control whose value is one of a short list, or several of it. */
export function choosing(
  { isList, nothing = '' }: { isList: boolean; nothing?: string },
  choices: readonly string[],
): Pick<Control, 'render' | 'isGroup'> {
  if (!isList)
    return {
      render: (name, form, attributes) => {
        const chosen = form.get(name) ?? '';
        const all = chosen === '' || choices.includes(chosen) ? choices : [chosen, ...choices];
        return html`<select name="${name}"${attributesOf(attributes)}><option value="">${nothing}</option>${all.map(
          (one) => html`<option value="${asTyped(one)}"${one === chosen && html` selected`}>${one}</option>`,
        )}</select>`;
      },
    };
  return {
    isGroup: true,
    render: (name, form, { id, describedBy }) => {
      const chosen = linesOf(name, form);
      const all = [...choices, ...chosen.filter((one) => !choices.includes(one))];
      // Without any of them the list is empty.
      return html`<input type="hidden" name="${name}" value=""><div class="choices">${all.map(
        (one, place) =>
          html`<label><input type="checkbox" name="${name}" value="${asTyped(one)}"${place === 0 && html` id="${id}"`}${
            describedBy !== undefined && html` aria-describedby="${describedBy}"`
          }${chosen.includes(one) && html` checked`}> ${one}</label>`,
      )}</div>`;
    },
  };
}

/** A list, one per line. */
export const lines: Control = {
  note: 'One per line.',
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 4),
  read: (name, form) => (form.has(name) ? linesOf(name, form) : undefined),
  write: (name, value) => (Array.isArray(value) ? [[name, value.join('\n')]] : []),
};

const named = (example: string, typed: (written: string) => unknown): Control => ({
  note: `One per line, such as ${example}.`,
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 3),
  read: (name, form) => {
    if (!form.has(name)) return undefined;
    const given = linesIn(form.get(name)).map((line): [string, unknown] => {
      const [key = '', ...rest] = line.split('=');
      return [key.trim(), typed(rest.join('=').trim())];
    });
    return Object.fromEntries(given);
  },
  write: (name, value) => [
    [
      name,
      Object.entries(value ?? {})
        .map(([key, inner]) => `${key}=${inner}`)
        .join('\n'),
    ],
  ],
});

/** An object of numbers, one per line. */
export const numbers = named('sendSms=50', (written) =>
  written === '' || Number.isNaN(Number(written)) ? written : Number(written),
);

/** An object of texts, one per line. */
export const texts = named('name=value', (written) => written);

/** Any object, as JSON. */
export const json: Control = {
  note: 'In JSON.',
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 12),
  read: (name, form) => {
    const given = form.get(name)?.trim() ?? '';
    if (given === '') return undefined;
    try {
      return JSON.parse(given);
    } catch {
      // The API says that this is not an object.
      return given;
    }
  },
  write: (name, value) =>
    value === undefined || value === null ? [] : [[name, JSON.stringify(value, undefined, 2)]],
};

/** Secrets by name, one per line; what is stored is never shown. */
export const secrets: Control = {
  note: 'One per line, such as password=…; a name without a value removes it.',
  render: (name, form, attributes) => textarea(name, form.get(name), attributes, 3),
  read: (name, form) => {
    const given = linesIn(form.get(name)).map((line): [string, string | null] => {
      const place = line.indexOf('=');
      const value = line.slice(place + 1).trim();
      return place === -1 ? [line, ''] : [line.slice(0, place).trim(), value === '' ? null : value];
    });
    return given.length === 0 ? undefined : Object.fromEntries(given);
  },
  write: () => [],
};
