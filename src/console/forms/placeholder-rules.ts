/** The rules for the values of placeholders: a row for each placeholder that the text of the form has. */
import type { Schema } from '../../contract/types.ts';
import { html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { placeholdersOf } from '../../products/templates/substitute.ts';
import { labelOf } from '../layout/values.ts';
import type { Control } from './control.ts';

/** The field that has the text. */
const textField = 'content';

/** What a rule without a format allows. */
const anyText = 'PlainText';

/** `rule`: the schema of one; `controlOf`: of a part of it. A placeholder whose row is empty has no rule. */
export function placeholderRules(rule: Schema, controlOf: (schema: Schema) => Control): Control {
  const fields = Object.entries(rule.properties ?? {})
    .filter(([name]) => name !== 'name')
    .map(([name, schema]) => ({
      name,
      label: labelOf(name),
      control: controlOf(schema),
    }));
  const places = (form: URLSearchParams) => placeholdersOf(form.get(textField) ?? '');
  const nameOf = (name: string, placeholder: string, field: string) => `${name}.${placeholder}.${field}`;
  return {
    isGroup: true,
    render: (name, form, { id }) => {
      const all = places(form);
      if (all.length === 0)
        return html`<p class="hint" id="${id}">None in the text. Preview shows a row for each.</p>`;
      return html`<div class="rows" id="${id}">${all.map(
        (placeholder) =>
          html`<fieldset class="row"><legend><code>{{${placeholder}}}</code></legend>${fields.map((field) => {
            const fieldId = `${id}-${placeholder}-${field.name}`;
            const attributes = { id: fieldId, required: false, describedBy: undefined, invalid: false };
            return html`<label for="${fieldId}"><span>${field.label}</span>${field.control.render(
              nameOf(name, placeholder, field.name),
              form,
              attributes,
            )}</label>`;
          })}</fieldset>`,
      )}</div>`;
    },
    read: (name, form) =>
      places(form).flatMap((placeholder) => {
        const given = fields.flatMap((field) => {
          const value = field.control.read(nameOf(name, placeholder, field.name), form) ?? undefined;
          return value === undefined ? [] : [[field.name, value] as const];
        });
        if (given.length === 0) return [];
        return [{ name: placeholder, format: anyText, required: true, ...Object.fromEntries(given) }];
      }),
    write: (name, value) =>
      (Array.isArray(value) ? (value as { name: string }[]) : []).flatMap((one) =>
        fields.flatMap((field) =>
          field.control.write(
            nameOf(name, one.name, field.name),
            own(one as Record<string, unknown>, field.name),
          ),
        ),
      ),
  };
}
