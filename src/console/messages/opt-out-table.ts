/** Lists opt-outs: of which number, from whose messages, since when. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../html.ts';
import { resourceLink, table } from '../layout/parts.ts';
import { wordOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';

/** Whose messages an entry is about. */
export function scopeOf(
  { teamId, serviceId }: { teamId?: string; serviceId?: string },
  { may }: PageContext,
): Content {
  if (teamId === undefined) return 'All teams';
  return html`${resourceLink('/teams', teamId, may('getTeam'))}${serviceId !== undefined && `, ${serviceId}`}`;
}

export function optOutTable(
  items: readonly components['schemas']['OptOut'][],
  page: PageContext,
  empty: string,
): Html {
  return table({
    caption: 'Opt-outs, the newest first',
    columns: ['Number', 'Whose messages', 'Product', 'Which', 'Source', 'Since'].map((name) => ({ name })),
    rows: items.map((item) => [
      item.phone ?? 'Erased',
      scopeOf(item, page),
      wordOf(item.product),
      wordOf(item.target),
      item.source,
      page.times.show(item.createdAt),
    ]),
    empty,
  });
}
