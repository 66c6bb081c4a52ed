/** Erases a person: the number is typed twice, and the result has counts only. */

import { html } from '../../docs/render/html.ts';
import { asRefused } from '../errors.ts';
import { type Fault, type Field, faultsOf, fieldsOf, renderForm, valuesIn } from '../forms/form.ts';
import { facts, notice, panel, top } from '../layout/parts.ts';
import { labelOf } from '../layout/values.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';

const path = '/erasure';
const again = 'again';

function fieldsOfPage(page: PageContext): Field[] {
  const [phone, ...others] = fieldsOf(page.api.operation('eraseSubject'), page);
  if (phone === undefined) return [];
  const typedAgain = {
    ...phone.input,
    name: again,
    description: 'This erases the number for ever. Type it again.',
  };
  return [phone, { ...phone, label: 'The same number', input: typedAgain }, ...others];
}

async function erasurePage(
  page: PageContext,
  filled = new URLSearchParams(),
  faults: readonly Fault[] = [],
): Promise<Page> {
  return {
    title: 'Erasure',
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({ heading: 'Erasure' })}${await renderForm(page, {
      fields: fieldsOfPage(page),
      filled,
      faults,
      action: path,
      submit: 'Erase',
      isDangerous: true,
      back: '/',
      intro: html`<p class="lead">Texts, receipts and correlators of a phone number are erased, and the number itself wherever it stands. Counts and units stay. Messages on their way are erased once they are final.</p>`,
    })}`,
  };
}

async function erase(page: PageContext): Promise<Outcome> {
  const { api, form } = page;
  const fields = fieldsOfPage(page);
  if (form.get(again) !== form.get('phone'))
    return erasurePage(page, form, [{ name: again, sentence: 'The two numbers differ.' }]);
  const { phone, teamId } = valuesIn(fields, form) as { phone: string; teamId?: string };
  try {
    const { body } = await api.call('eraseSubject', {
      body: { phone, ...(teamId === undefined ? {} : { teamId }) },
    });
    return {
      title: 'Erased',
      body: html`${top({ heading: 'Erased', trail: [[path, 'Erasure']] })}${notice('good', 'Everything about the number is erased.')}
${panel('What was erased', facts(Object.entries(body).map(([name, count]) => [labelOf(name), count.toLocaleString('en')])))}`,
    };
  } catch (error) {
    return await erasurePage(page, form, faultsOf(asRefused(error), fields));
  }
}

export const erasureRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['eraseSubject'], handle: async (page) => erasurePage(page) },
  { method: 'POST', path, operations: ['eraseSubject'], handle: erase },
];
