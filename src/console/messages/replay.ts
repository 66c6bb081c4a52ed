/** Posts the receipts of an endpoint again: first counted, then exactly those that were counted. */

import { type Content, html } from '../../docs/render/html.ts';
import { counted } from '../../platform/text/counted.ts';
import { asRefused } from '../errors.ts';
import { hiddenFields } from '../forms/form.ts';
import { at, button, notice, top, written } from '../layout/parts.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';
import { endpointOf } from './endpoints.ts';

const path = '/endpoints/:team/:key/replay';

interface Asked {
  from: string;
  to: string;
  which: 'Exhausted' | 'All';
}

interface Count {
  receipts: number;
  more: boolean;
  oldest?: string;
  newest?: string;
}

const dayMs = 86_400_000;
const isWhich = (value: string | null): value is Asked['which'] => value === 'Exhausted' || value === 'All';

/** The times of a form are those of the reader's zone. Undefined where one of them is no time. */
function askedIn({ form, times }: PageContext): Asked | undefined {
  const [from, to] = [form.get('from'), form.get('to')].map((one) => times.instantOf(one ?? ''));
  const which = form.get('which');
  return from === undefined || to === undefined || !isWhich(which) ? undefined : { from, to, which };
}

async function replayPage(
  page: PageContext,
  asked: Asked,
  { count, said, status }: { count?: Count; said?: Content; status?: number } = {},
): Promise<Page> {
  const { times } = page;
  const { teamId, origin, key } = await endpointOf(page);
  const here = `/endpoints/${teamId}/${key}`;
  const action = at(`${here}/replay`);
  const field = (name: 'from' | 'to', label: string) =>
    html`<div class="field"><label for="${name}">${label}</label><input type="datetime-local" step="1" required id="${name}" name="${name}" value="${times.local(asked[name])}"></div>`;
  const choice = (which: Asked['which'], words: string) =>
    html`<label><input type="radio" name="which" value="${which}"${asked.which === which && html` checked`}>${words}</label>`;
  return {
    title: 'Post receipts again',
    ...(status === undefined ? {} : { status }),
    body: html`${top({
      heading: 'Post receipts again',
      trail: [
        ['/endpoints', 'Endpoints'],
        [here, origin],
      ],
    })}${said}<div class="stack"><form class="form" method="post" action="${action}">
<div class="row">${field('from', 'Created from')}${field('to', 'To')}</div><p class="hint">Times of ${times.zone}.</p>
<fieldset class="field"><legend>Which</legend><div class="choices">${choice('Exhausted', 'Given up')}${choice('All', 'All, also delivered')}</div></fieldset>
<div class="actions"><button class="button${count === undefined && ' main'}" type="submit" name="deed" value="count">Count</button>${button(here, 'Cancel')}</div></form>
${count !== undefined && counting({ count, asked, teamId, origin, action, here, page })}</div>`,
  };
}

interface Counted {
  count: Count;
  asked: Asked;
  teamId: string;
  origin: string;
  action: string;
  here: string;
  page: PageContext;
}

/** A form of its own, with exactly what was counted. */
function counting({ count, asked, teamId, origin, action, here, page }: Counted): Content {
  const { times } = page;
  const { receipts, more, oldest, newest } = count;
  if (receipts === 0)
    return notice(
      'fair',
      'No receipt matches. Those that were posted again within the last hour do not count.',
    );
  return html`<section class="panel" id="count" aria-label="What was counted"><div class="body"><p><b>${counted(receipts, 'receipt')} of team ${written(teamId)} to ${written(origin)}.</b> They keep their ids.${
    oldest !== undefined &&
    newest !== undefined &&
    html` Oldest ${times.show(oldest)}, newest ${times.show(newest)}.`
  }${more && ' More match: after these, count again.'}</p>
<form method="post" action="${action}">${hiddenFields({
    ...{ deed: 'post', expected: String(receipts) },
    ...{ from: times.local(asked.from), to: times.local(asked.to), which: asked.which },
  })}<div class="actions"><button class="button main" type="submit">Post ${receipts === 1 ? 'this 1' : `these ${receipts.toLocaleString('en')}`} again</button>${button(here, 'Cancel')}</div></form></div></section>`;
}

async function replay(page: PageContext) {
  const { api, form, now } = page;
  const asked = askedIn(page);
  if (asked === undefined)
    return replayPage(page, defaults(now), {
      said: notice('bad', 'Created from, to: dates with a time.'),
      status: 400,
    });
  const { teamId, origin, key } = await endpointOf(page);
  const body = { teamId, origin, ...asked };
  const count = async () => (await api.call('replayReceipts', { body: { ...body, dryRun: true } })).body;
  try {
    if (form.get('deed') !== 'post') return await replayPage(page, asked, { count: await count() });
    const expected = Number(form.get('expected'));
    const { body: replayed } = await api.call('replayReceipts', { body: { ...body, expected } });
    return { redirect: `/endpoints/${teamId}/${key}/replay?posted=${replayed.receipts}` };
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status !== 409 && refused.status !== 400) throw error;
    const said = notice(
      'bad',
      refused.status === 409
        ? 'The count has changed, so nothing was posted. This is the new count.'
        : refused.faults.join(' '),
    );
    return replayPage(page, asked, {
      said,
      status: refused.status,
      ...(refused.status === 409 ? { count: await count() } : {}),
    });
  }
}

const defaults = (now: number): Asked => ({
  from: new Date(now - dayMs).toISOString(),
  to: new Date(now).toISOString(),
  which: 'Exhausted',
});

export const replayRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path,
    operations: ['replayReceipts', 'getEndpoint'],
    handle: async (page) => {
      const posted = page.query.get('posted');
      const said =
        posted !== null && /^\d{1,9}$/.test(posted)
          ? notice(
              'good',
              `${counted(Number(posted), 'receipt')} ${posted === '1' ? 'is' : 'are'} being posted again.`,
            )
          : undefined;
      return replayPage(page, defaults(page.now), { said });
    },
  },
  { method: 'POST', path, operations: ['replayReceipts', 'getEndpoint'], handle: replay },
];
