/** The parts that pages are built of: headings, panels, tables, facts, states. */
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { consolePath } from '../path.ts';
import { type Icon, icon } from './icons.ts';

/** The address of a page: `path` is below `/console`. */
export const at = (path: string) => `${consolePath}${path}`;

/** The id of a resource; a link to its page for those who may open it. */
export const resourceLink = (path: string, id: string, mayOpen: boolean): Content =>
  mayOpen ? html`<a href="${at(`${path}/${encodeURIComponent(id)}`)}">${id}</a>` : id;

export interface Top {
  heading: Content;
  /** The pages above this one: path and name. */
  trail?: readonly (readonly [path: string, name: string])[];
  /** Beside the heading. */
  state?: Html | undefined;
  under?: Content;
  actions?: readonly Content[];
}

export function top({ heading, trail = [], state, under, actions = [] }: Top): Html {
  return html`${
    trail.length > 0 &&
    html`<nav aria-label="Above this page"><ol class="trail">${trail.map(
      ([path, name]) => html`<li><a href="${at(path)}">${name}</a></li>`,
    )}</ol></nav>`
  }<div class="top"><div><div class="title"><h1>${heading}</h1>${state}</div>${
    under !== undefined && html`<p class="under">${under}</p>`
  }</div>${actions.length > 0 && html`<div class="actions">${actions}</div>`}</div>`;
}

interface Around {
  /** Pages that refresh themselves find it by its id. */
  id?: string;
  note?: Content;
  foot?: Content;
}

export const panel = (heading: Content, body: Content, around: Around = {}): Html =>
  widePanel(heading, html`<div class="body">${body}</div>`, around);

/** What is in it reaches from edge to edge, as tables do. */
export function widePanel(heading: Content, content: Content, { id, note, foot }: Around = {}): Html {
  return html`<section class="panel"${id !== undefined && html` id="${id}"`}${
    typeof heading === 'string' && html` aria-label="${heading}"`
  }><div class="head"><h2>${heading}</h2>${
    note && html`<span class="note">${note}</span>`
  }</div>${content}${foot !== undefined && html`<div class="foot">${foot}</div>`}</section>`;
}

/** Terms and what they are; without the empty ones. */
export function facts(rows: readonly (readonly [term: Content, value: Content])[]): Html {
  const filled = rows.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${filled.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

export interface Table {
  /** Names of the columns; the first column names the row. */
  columns: readonly { name: string; isNumber?: boolean }[];
  rows: readonly (readonly Content[])[];
  /** Said instead of a table without rows. */
  empty: string;
  caption: string;
}

/** Rows become cards on narrow screens. */
export function table({ columns, rows, empty, caption }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const cell = (value: Content, place: number) => {
    const { name = '', isNumber = false } = columns[place] ?? {};
    return place === 0
      ? html`<th scope="row">${value}</th>`
      : html`<td data-name="${name}"${isNumber && html` class="n"`}><div>${value}</div></td>`;
  };
  return html`<div class="table" tabindex="0" role="group" aria-label="${caption}"><table class="cards"><caption class="unseen">${caption}</caption><thead><tr>${columns.map(
    ({ name, isNumber }, place) =>
      html`<th scope="col"${isNumber && place > 0 && html` class="n"`}>${name}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${row.map(cell)}</tr>
`,
  )}</tbody></table></div>`;
}

export type Tone = 'good' | 'fair' | 'bad' | 'moving' | '';
export type Look = readonly [tone: Tone, sign: Icon];

/** A state: a sign and a word, so that it does not depend on its colour. */
export function state(tone: Tone, sign: Icon, word: string): Html {
  return html`<span class="state ${tone}">${icon(sign)}${word}</span>`;
}

export function button(path: string, words: string, kind: 'main' | 'danger' | '' = ''): Html {
  return html`<a class="button ${kind}" href="${at(path)}">${words}</a>`;
}

/** What people take elsewhere, with a button that copies it where scripts run. */
export function copyable(text: string): Html {
  return html`<span class="id">${written(text)}</span> <button class="copy" type="button" data-copy="${text}" hidden>Copy<span class="unseen"> ${text}</span></button>`;
}

/** Stored text as somebody wrote it, in whatever direction it is written. */
export function written(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** What was done, or what is wrong. */
export function notice(tone: 'good' | 'bad' | 'fair', words: Content): Html {
  const signs = { good: 'check', bad: 'cross', fair: 'warn' } as const;
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">${icon(signs[tone])}<div>${words}</div></div>`;
}
