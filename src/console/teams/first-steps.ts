/** What a new team needs until its first message is delivered. The list completes itself, and then is gone. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { type Content, html } from '../../docs/render/html.ts';
import { icon } from '../layout/icons.ts';
import { at, panel } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

interface Step {
  done: boolean;
  /** What was done, or is to be done. */
  words: readonly [done: string, todo: string];
  /** Where it is done, and what the reader must be permitted for that. */
  at?: { path: string; operation: ManagementOperationId; label: string };
}

/** Undefined once a message was delivered, and for those who cannot add clients. */
export async function firstSteps(page: PageContext, { id }: Item): Promise<Content> {
  if (!page.may('createClient')) return undefined;
  const teamId = String(id);
  const has = async (operation: ManagementOperationId, query: Readonly<Record<string, unknown>>) => {
    const { body } = await page.api.look(page.api.operation(operation), {
      query: { teamId, limit: 1, ...query },
    });
    const { items, next } = body as { items: unknown[]; next?: string };
    // A page of a search may be empty although more of what it looks through follows.
    return items.length > 0 || next !== undefined;
  };
  if (await has('listMessages', { state: 'Delivered' })) return undefined;
  const [service, units, client, sent] = await Promise.all([
    has('listSmsServices', {}),
    hasUnits(page, teamId),
    has('listClients', {}),
    has('listRequests', {}),
  ]);
  const steps: Step[] = [
    { done: true, words: ['Team added', ''] },
    {
      done: service,
      words: ['SMS service added', 'Add an SMS service: its sender is what recipients see'],
      at: { path: `/new/services/sms?teamId=${teamId}`, operation: 'createSmsService', label: 'Add' },
    },
    {
      done: units,
      words: ['Units added', 'Add units: messages are paid for with them'],
      at: { path: `/teams/${teamId}/top-up?product=Sms`, operation: 'topUp', label: 'Top up' },
    },
    {
      done: client,
      words: ['Client added', 'Add a client: its secrets are shown once, with two commands to copy'],
      at: {
        path: `/new/clients?teamId=${teamId}&scopes=message.sms.send.oneway&scopes=message.read`,
        operation: 'createClient',
        label: 'Add',
      },
    },
    { done: sent, words: ['Message sent', 'Send a message: paste the two commands into a terminal'] },
    { done: false, words: ['', 'Delivered: this appears by itself'] },
  ];
  const open = steps.find(({ done }) => !done);
  return panel(
    'First steps',
    html`<ol class="steps">${steps.map(({ done, words: [past, todo], at: place }, index) => {
      const leads = !done && place !== undefined && page.may(place.operation);
      return html`<li${steps[index] === open && html` aria-current="step"`}><span class="sign ${done ? 'good' : 'later'}">${done ? icon('check') : String(index + 1)}</span><span>${
        done ? html`<span class="unseen">Done: </span>${past}` : todo
      }</span>${leads && html`<a class="button small" href="${at(place.path)}">${place.label}<span class="unseen">: step ${index + 1}</span></a>`}</li>`;
    })}</ol>`,
    { note: `${steps.filter(({ done }) => done).length} of ${steps.length} done` },
  );
}

async function hasUnits({ api }: PageContext, teamId: string): Promise<boolean> {
  const { body } = await api.look(api.operation('listAccounts'), { path: { teamId } });
  return (body as { items: { balance: number }[] }).items.some(({ balance }) => balance > 0);
}
