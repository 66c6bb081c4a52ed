/** Reads the quiet hours that are on. */
import type { Knex } from 'knex';
import type { QuietHours } from './windows.ts';

export async function loadQuietHours(knex: Knex): Promise<QuietHours[]> {
  return knex('quiet_hours').where({ enabled: true }).select({
    country: 'country',
    mondayToFriday: 'monday_to_friday',
    saturday: 'saturday',
    sunday: 'sunday',
    holidays: 'holidays',
  });
}
