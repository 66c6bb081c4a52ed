/** What a control of a form is, and what all of them share. */
import { type Content, type Html, html } from '../../docs/render/html.ts';

export interface Attributes {
  id: string;
  required: boolean;
  /** The ids of its hint and its fault. */
  describedBy: string | undefined;
  invalid: boolean;
}

/** How a value stands in a form; `name` is the first part of the names of its fields. */
export interface Control {
  render: (name: string, form: URLSearchParams, attributes: Attributes) => Html;
  /** Undefined: nothing is given. Null: the value is taken away. */
  read: (name: string, form: URLSearchParams) => unknown;
  write: (name: string, value: unknown) => [name: string, text: string][];
  /** Several fields, which a legend names instead of a label. */
  isGroup?: boolean;
  /** How it is written, behind its hint. */
  note?: string;
}

/** The description as a hint: what code is stays code, and no value is an empty field. */
export function hintOf(description: string): Content {
  const words = description
    .replace(/; null removes one/g, '')
    .replace(/; (null|absent): /g, '; empty: ')
    .replace(/(^|\. )(?:If absent|Absent|Null): /g, '$1Empty: ')
    .replace(/; absent (?=if|for)/g, '; empty ')
    .replace(/; if absent, /g, '; if empty, ');
  return words
    .split('`')
    .map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part.replaceAll(/\s+/g, ' ')));
}

export function attributesOf({ id, required, describedBy, invalid }: Attributes): Html {
  return html` id="${id}"${required && html` required`}${describedBy !== undefined && html` aria-describedby="${describedBy}"`}${
    invalid && html` aria-invalid="true"`
  }`;
}
