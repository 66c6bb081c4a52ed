/** Erases a person: the number is typed twice, and the result has counts only. */
import { html } from '../../docs/render/html.ts';
import { operationForm } from '../forms/operation-form.ts';
import { facts, notice, panel, top } from '../layout/parts.ts';
import { labelOf } from '../layout/values.ts';
import type { ConsoleRoute } from '../page.ts';

const path = '/erasure';
const again = 'again';

export const erasureRoutes: ConsoleRoute[] = operationForm({
  operation: 'eraseSubject',
  path,
  heading: 'Erasure',
  intro:
    'Texts, receipts and correlators of a phone number are erased, and the number itself wherever it stands. Counts and units stay. Messages on their way are erased once they are final.',
  submit: 'Erase',
  isDangerous: true,
  section: path,
  fields: ([phone, ...others]) =>
    phone === undefined
      ? []
      : [
          phone,
          {
            ...phone,
            label: 'The same number',
            input: {
              ...phone.input,
              name: again,
              description: 'This erases the number for ever. Type it again.',
            },
          },
          ...others,
        ],
  check: (form) =>
    form.get(again) === form.get('phone') ? undefined : { name: again, sentence: 'The two numbers differ.' },
  done: (body) => ({
    title: 'Erased',
    body: html`${top({ heading: 'Erased', trail: [[path, 'Erasure']] })}${notice('good', 'Everything about the number is erased.')}
${panel('What was erased', facts(Object.entries(body).map(([name, count]) => [labelOf(name), count.toLocaleString('en')])))}`,
  }),
});
