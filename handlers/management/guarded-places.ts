/** Where codes go beyond the guards against SMS pumping. */
import { listPlaces } from '../../src/manage/units/guarded-places.ts';
import { type ManagementHandler, wire } from './operation.ts';

/** Lists the countries and prefixes. */
export const listGuardedPlaces: ManagementHandler<'listGuardedPlaces'> = async (
  { query: { teamId: team, place, limit = 25 }, reply },
  management,
) => reply(200, { items: wire(await listPlaces(management, { team, place, limit })) });
