/** The accounts of a team, and what adds units to them or takes some away. */
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { nextPage } from '../forms/filters.ts';
import { operationForm } from '../forms/operation-form.ts';
import { at, button, notice, top, widePanel } from '../layout/parts.ts';
import { itemTable } from '../lists/item-table.ts';
import type { ConsoleRoute, Outcome, Page, PageContext } from '../page.ts';
import { accountName, accountTrail, queryOf, type WrittenAccount } from './account-names.ts';

/** Users of the platform choose a team; those that soon can send nothing come first. */
async function chooseTeam(page: PageContext): Promise<Outcome> {
  const { api, reader, query } = page;
  if (reader.teamId !== undefined) return { redirect: `/teams/${reader.teamId}/accounts` };
  const { body: scarce } = await api.call('listAccountsNearEmpty');
  const { body } = await api.call('listTeams', {
    query: { cursor: query.get('cursor') ?? undefined, limit: teamsOnPage },
  });
  const balances = new Map(
    await Promise.all(body.items.map(async ({ id }) => [id, await balancesOf(id, api)] as const)),
  );
  return {
    title: 'Accounts',
    body: html`${top({ heading: 'Accounts', under: 'Each team has accounts of its own.' })}<div class="stack">${scarce.items.length > 0 && nearEmpty(scarce.items, page)}<section class="panel" aria-label="Teams">${itemTable(
      {
        operation: 'listTeams',
        columns: [{ team: 'id' }, { 'units left': 'balances' }],
        cells: {
          id: ({ id }) => html`<a href="${at(`/teams/${id}/accounts`)}">${id}</a>`,
          balances: ({ id }) => balances.get(id),
        },
      },
      body.items,
      page,
      { caption: 'Teams', empty: 'There is no team yet.' },
    )}</section>${nextPage('/accounts', query, body.next)}</div>`,
  };
}

/** Each has accounts of its own to ask for. */
const teamsOnPage = 25;
const mostBalances = 8;

/** The fullest last: what is empty is what people look for. */
async function balancesOf(teamId: string, { look, operation }: PageContext['api']): Promise<Content> {
  const { body } = await look(operation('listAccounts'), { path: { teamId } });
  const { items } = body as { items: (WrittenAccount & { balance: number })[] };
  if (items.length === 0) return html`<span class="faint">no account: nothing is billed</span>`;
  const shown = items.toSorted((one, other) => one.balance - other.balance).slice(0, mostBalances);
  return html`<span class="links">${shown.map(
    (one) =>
      html`<span>${accountName(one)} <b${one.balance <= 0 && html` class="bad"`}>${one.balance.toLocaleString('en')}</b></span>`,
  )}${items.length > shown.length && html`<span class="faint">and ${items.length - shown.length} more</span>`}</span>`;
}

type NearEmpty = WrittenAccount & { teamId: string; balance: number; usedInDay: number };

function nearEmpty(accounts: readonly NearEmpty[], page: PageContext): Html {
  return widePanel(
    'Accounts near empty',
    itemTable<NearEmpty>(
      {
        operation: 'listAccountsNearEmpty',
        columns: [{ account: 'product' }, { 'units left': 'balance' }, { 'last 24 h': 'usedInDay' }],
        cells: {
          product: (account) =>
            html`<a href="${at(`/teams/${account.teamId}/accounts`)}">${account.teamId}, ${accountName(account)}</a>`,
        },
      },
      accounts,
      page,
      { caption: 'Accounts near empty', empty: '' },
    ),
    { foot: 'Listed when fewer units are left than the team used in the last 24 hours.' },
  );
}

async function accountsPage(page: PageContext, said?: Html): Promise<Page> {
  const { api, params, may } = page;
  const { teamId = '' } = params;
  const here = `/teams/${teamId}`;
  const { body } = await api.call('listAccounts', { path: { teamId } });
  const deeds = (account: WrittenAccount) => {
    const [name, query] = [accountName(account), queryOf(account)];
    const link = (step: string, words: string, of: string): Content =>
      html`<a href="${at(`${here}/${step}`)}?${query}">${words}<span class="unseen"> ${of}</span></a> `;
    return html`<span class="links">${link('ledger', 'Ledger', `of ${name}`)}${link('statement', 'Statement', `of ${name}`)}${
      may('topUp') && link('top-up', 'Top up', name)
    }${may('correctBalance') && link('correct', 'Correct', name)}</span>`;
  };
  return {
    title: `Accounts of team ${teamId}`,
    section: '/accounts',
    body: html`${top({
      heading: 'Accounts',
      trail: [
        ['/teams', 'Teams'],
        [here, teamId],
      ],
      actions: [
        may('topUp') && button(`${here}/top-up`, 'Top up', 'main'),
        button(`${here}/ledger`, 'Ledger'),
      ],
    })}${said}
<section class="panel" aria-label="Accounts">${itemTable(
      {
        operation: 'listAccounts',
        columns: [{ account: 'product' }, { 'units left': 'balance' }, 'do'],
        cells: { product: accountName, do: deeds },
      },
      body.items,
      page,
      { caption: 'Accounts', empty: 'There is no account yet. Top up to open one.' },
    )}</section>`,
  };
}

interface Posted {
  product: string;
  channel?: string;
  denomination?: string;
  category?: string;
  units: number;
  balance: number;
  repeated: boolean;
}

function said({ units, balance, repeated, ...account }: Posted, reference: string): Html {
  const left = `${balance.toLocaleString('en')} are left.`;
  if (repeated)
    return notice('fair', `Counted once: ${reference} was booked before, and nothing changed. ${left}`);
  const deed = units < 0 ? 'taken from' : 'added to';
  return notice(
    'good',
    `${Math.abs(units).toLocaleString('en')} units ${deed} ${accountName(account)}. ${left}`,
  );
}

const posting = {
  section: '/accounts',
  trail: ({ params: { teamId = '' } }: PageContext) => accountTrail(teamId),
  also: ['listAccounts'],
  done: (body: Posted, page: PageContext) => accountsPage(page, said(body, page.form.get('reference') ?? '')),
} as const;

export const accountRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/accounts',
    operations: ['listAccounts', 'listTeams', 'listAccountsNearEmpty'],
    handle: chooseTeam,
  },
  {
    method: 'GET',
    path: '/teams/:teamId/accounts',
    operations: ['listAccounts'],
    handle: (page) => accountsPage(page),
  },
  ...operationForm({
    operation: 'topUp',
    path: '/teams/:teamId/top-up',
    heading: 'Top up',
    submit: 'Top up',
    intro:
      'The account is opened if there is none. The same reference is counted once, however often it is sent.',
    ...posting,
  }),
  ...operationForm({
    operation: 'correctBalance',
    path: '/teams/:teamId/correct',
    heading: 'Correct',
    submit: 'Correct',
    intro: 'Adds units, or takes some away with a minus. The note says why; both stay in the ledger.',
    ...posting,
  }),
];
