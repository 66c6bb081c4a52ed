/** Which connectors the messages of a channel go through, route by route, and which of them take messages now. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { at, panel, table } from '../layout/parts.ts';
import { wordOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

type Schemas = components['schemas'];
type Route = Schemas['Route'];

/** Undefined for a channel without routes, and for readers who may not see them. */
export async function routesOf(page: PageContext, item: Item): Promise<Content> {
  const { name, connector, bundleConnector } = item as unknown as Schemas['Channel'];
  if (!page.may('listRoutes')) return undefined;
  const own = (await itemsOf<Route>(page, 'listRoutes')).filter(({ channel }) => channel === name);
  if (own.length === 0) return undefined;
  const seen = new Map(
    (await itemsOf<Schemas['Connector']>(page, 'listConnectors')).map((one) => [one.name, one]),
  );
  const show = (via: Route['via']): Content[] =>
    via.map(({ connector: one, weight }, place) => {
      const { condition } = seen.get(one) ?? {};
      return html`${place > 0 && ', '}<a href="${at(`/connectors/${one}`)}">${one}</a>${
        weight !== undefined && ` (${weight})`
      }${condition !== undefined && condition !== 'open' && html` <b>${wordOf(condition).toLowerCase()}</b>`}`;
    });
  const rest = [
    ['Sms', connector],
    ['MobileData', bundleConnector],
  ] as const;
  return panel(
    'Routes',
    table({
      caption: 'Routes, in the order in which they are looked at',
      columns: [{ name: 'Route' }, { name: 'Messages' }, { name: 'Connectors' }],
      rows: [
        ...own.map((route) => [
          html`<a href="${at(`/routes/${route.name}`)}">${route.name}</a>`,
          messagesOf(route),
          html`${show(route.via)}`,
        ]),
        ...rest.flatMap(([product, last]) =>
          last !== undefined && own.some((route) => route.product === product)
            ? [['All others', wordsOf[product], html`${show([{ connector: last }])}`]]
            : [],
        ),
      ],
      empty: '',
    }),
  );
}

const wordsOf = { Sms: 'SMS', MobileData: 'Bundles' } as const;

/** Such as `SMS of team acme, category UTILITY`. */
function messagesOf({ product, match }: Route): Html {
  const { teamId, serviceId, sender, category } = match;
  const conditions = [
    teamId && `team ${teamId}`,
    serviceId && `service ${serviceId}`,
    sender && `sender ${sender}`,
    category && `category ${category}`,
  ].filter((one) => one !== undefined);
  const what = product === 'Sms' ? wordsOf.Sms : wordsOf.MobileData;
  return html`${what}${conditions.length > 0 && ` of ${conditions.join(', ')}`}`;
}

async function itemsOf<Item>({ api }: PageContext, list: 'listRoutes' | 'listConnectors'): Promise<Item[]> {
  const { body } = await api.look(api.operation(list), {});
  return (body as { items: Item[] }).items;
}
