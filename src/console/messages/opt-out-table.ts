/** Lists opt-outs: of which number, from whose messages, since when. */
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { resourceLink } from '../layout/parts.ts';
import { type ItemColumns, itemTable } from '../lists/item-table.ts';
import type { PageContext } from '../page.ts';

export type OptOut = components['schemas']['OptOut'];

/** Whose messages an entry is about. */
export function scopeOf(
  { teamId, serviceId }: { teamId?: string; serviceId?: string },
  { may }: PageContext,
): Content {
  if (teamId === undefined) return 'All teams';
  return html`${resourceLink('/teams', teamId, may('getTeam'))}${serviceId !== undefined && `, ${serviceId}`}`;
}

export const optOutColumns: ItemColumns<OptOut> = {
  operation: 'listOptOuts',
  columns: [
    { number: 'phone' },
    { 'whose messages': 'serviceId' },
    'product',
    { which: 'target' },
    'source',
    { since: 'createdAt' },
  ],
  cells: { phone: ({ phone }) => phone ?? 'Erased', serviceId: scopeOf },
};

export const optOutTable = (found: readonly OptOut[], page: PageContext, empty: string): Html =>
  itemTable(optOutColumns, found, page, { caption: 'Opt-outs', empty });
