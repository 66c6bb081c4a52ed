/** Numbers that moved to another network with their prefix: the table in use, and imports of new ones. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { operationForm } from '../forms/operation-form.ts';
import { button, facts, panel, state, top } from '../layout/parts.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';

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

export const portedRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['getPortedNumbers'], handle: showPage },
  ...operationForm({
    operation: 'importPortedNumbers',
    path: form,
    heading: 'Import ported numbers',
    intro:
      'The table replaces the one before as a whole. Up to 25,000 lines: paste them, or choose a file. Longer tables: npx tarishi ported import.',
    fromFile: 'lines',
    submit: 'Import',
    section: path,
    trail: () => [[path, 'Ported numbers']],
    done: () => ({ redirect: path }),
  }),
];
