/** Numbers that moved to another network with their prefix: the table in use, and imports of new ones. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { asRefused } from '../errors.ts';
import { chooseFile } from '../forms/choose-file.ts';
import { type Fault, faultsOf, fieldsOf, renderForm, valuesIn } from '../forms/form.ts';
import { button, facts, panel, state, top } from '../layout/parts.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';

const path = '/ported-numbers';
const form = `${path}/import`;

type Import = components['schemas']['PortedNumbersImport'];

async function showPage({ api, times, may }: PageContext): Promise<Page> {
  const { numbers, imports } = (await api.call('getPortedNumbers', {})).body;
  return {
    title: 'Ported numbers',
    section: path,
    refreshes: imports.some(({ usedSince }) => usedSince === undefined),
    body: html`${top({
      heading: 'Ported numbers',
      under:
        numbers === 0
          ? 'No number is known to have moved: the prefix alone says the channel.'
          : `${numbers.toLocaleString('en')} numbers moved to another network and kept their prefix.`,
      actions: [may('importPortedNumbers') && button(form, 'Import', 'main')],
    })}<div class="stack">${imports.map((one) =>
      panel(
        one.id,
        html`${facts([
          ['State', progressOf(one)],
          ['Parts', `${one.received.toLocaleString('en')} of ${one.parts.toLocaleString('en')}`],
          ['Lines', one.lines.toLocaleString('en')],
          ['Invalid', one.invalid.toLocaleString('en')],
          ['Columns', `${one.numberColumn}, ${one.channelColumn}`],
          ['Since', times.show(one.usedSince ?? one.createdAt)],
        ])}${
          one.problems.length > 0 &&
          html`<h3>Lines without a valid number or a known network</h3><ul>${one.problems.map(
            ({ part, line }) => html`<li>Part ${part}, line ${line}</li>`,
          )}</ul>`
        }`,
      ),
    )}</div>`,
  };
}

function progressOf({ read, lines, received, parts, usedSince }: Import): Html {
  if (usedSince !== undefined) return state('good', 'check', 'In use');
  return received < parts
    ? state('moving', 'clock', 'Waits for its other parts')
    : state('moving', 'clock', `${read.toLocaleString('en')} of ${lines.toLocaleString('en')} lines read`);
}

async function formPage(page: PageContext, faults: readonly Fault[] = []): Promise<Page> {
  return {
    title: 'Import ported numbers',
    section: path,
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({ heading: 'Import ported numbers', trail: [[path, 'Ported numbers']] })}${await renderForm(
      page,
      {
        fields: fieldsOf(page.api.operation('importPortedNumbers'), page),
        ...{ filled: page.form, faults, action: form, submit: 'Import', back: path },
        intro: html`<p class="lead">The table replaces the one before as a whole. Up to 25,000 lines: paste them, or choose a file. Longer tables: npx tarishi ported import.</p>${chooseFile('field-lines')}`,
      },
    )}`,
  };
}

async function send(page: PageContext): Promise<Outcome> {
  const fields = fieldsOf(page.api.operation('importPortedNumbers'), page);
  try {
    await page.api.call('importPortedNumbers', { body: valuesIn(fields, page.form) as never });
    return { redirect: path };
  } catch (error) {
    return await formPage(page, faultsOf(asRefused(error), fields));
  }
}

export const portedRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['getPortedNumbers'], handle: showPage },
  { method: 'GET', path: form, operations: ['importPortedNumbers'], handle: (page) => formPage(page) },
  { method: 'POST', path: form, operations: ['importPortedNumbers'], handle: send },
];
