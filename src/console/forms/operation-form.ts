/** Pages with the form of one operation: it is sent to where it stands, and what the API finds wrong stands at its field. */

import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import type { Succeeded } from '../api/api.ts';
import { asRefused } from '../errors.ts';
import { type Top, top } from '../layout/parts.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';
import { type Fault, type Field, faultsOf, fieldsOf, renderForm, valuesIn } from './form.ts';

export interface OperationForm<O extends ManagementOperationId> {
  operation: O;
  /** Below `/console`; its parameters are those of the operation. */
  path: string;
  heading: string;
  under?: string;
  intro?: string;
  /** The field that a file may fill. */
  fromFile?: string;
  submit: string;
  isDangerous?: boolean;
  /** The page of the navigation that it belongs to. */
  section: string;
  /** The pages above this one; the last is where those go who cancel. */
  trail?: (page: PageContext) => NonNullable<Top['trail']>;
  /** More fields than the operation has. */
  fields?: (own: readonly Field[]) => readonly Field[];
  /** What is wrong before anything is sent. */
  check?: (form: URLSearchParams) => Fault | undefined;
  /** What it calls besides. */
  also?: readonly ManagementOperationId[];
  /** `again`: the same page with what was filled in, and something above it. */
  done: (
    body: Succeeded<O>,
    page: PageContext,
    again: (above: Content) => Promise<Page>,
  ) => Outcome | Promise<Outcome>;
}

/** The browser reads the file into the field, where it can be looked at before it is sent. */
const chooseFile = (field: string): Html =>
  html`<div class="field" data-fills hidden><label for="file">File <span class="optional">fills the lines below</span></label><input id="file" type="file" accept=".csv,.txt,text/plain,text/csv" data-fills="field-${field}"></div>`;

export function operationForm<O extends ManagementOperationId>(form: OperationForm<O>): ConsoleRoute[] {
  const { operation, path, heading, under, submit, isDangerous = false, section, also = [] } = form;
  const { intro, fromFile, trail: trailOf = () => [], fields: shown = (own) => own, check, done } = form;

  const show = async (
    page: PageContext,
    filled: URLSearchParams,
    { faults = [], above }: { faults?: readonly Fault[]; above?: Content } = {},
  ): Promise<Page> => {
    const trail = trailOf(page);
    return {
      title: heading,
      section,
      ...(faults.length > 0 ? { status: 400 } : {}),
      body: html`${top({ heading, under, trail })}<div class="stack">${above}${await renderForm(page, {
        fields: shown(fieldsOf(page.api.operation(operation), page)),
        action: path.replaceAll(/:(\w+)/g, (_, name: string) =>
          encodeURIComponent(own(page.params, name) ?? ''),
        ),
        back: trail.at(-1)?.[0] ?? '/',
        intro: html`${intro !== undefined && html`<p class="lead">${intro}</p>`}${fromFile !== undefined && chooseFile(fromFile)}`,
        ...{ filled, faults, submit, isDangerous },
      })}</div>`,
    };
  };

  const send = async (page: PageContext): Promise<Outcome> => {
    const { api, params } = page;
    const called = api.operation(operation);
    const fields = fieldsOf(called, page);
    const wrong = check?.(page.form);
    if (wrong !== undefined) return show(page, page.form, { faults: [wrong] });
    try {
      const { body } = await api.send(called, { path: params, body: valuesIn(fields, page.form) });
      return await done(body as Succeeded<O>, page, (above) => show(page, page.form, { above }));
    } catch (error) {
      return await show(page, page.form, { faults: faultsOf(asRefused(error), fields) });
    }
  };

  const operations = [operation, ...also];
  return [
    {
      ...{ method: 'GET', path, operations },
      handle: (page) => {
        const called = page.api.operation(operation);
        page.api.offer(called, { path: page.params, body: valuesIn(fieldsOf(called, page), page.query) });
        return show(page, page.query);
      },
    },
    { method: 'POST', path, operations, handle: send },
  ];
}
