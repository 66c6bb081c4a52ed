/** Manages quiet hours: when promotional messages may be delivered, by country. */
import { changeable, fixed } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { resource } from '../resource.ts';

export const quietHours = resource({
  noun: 'quiet hours',
  table: 'quiet_hours',
  key: 'country',
  properties: {
    country: fixed<string>(),
    enabled: changeable<boolean>({ initially: false }),
    /** In local time, such as `08:00-20:00`; null: nothing is delivered. */
    mondayToFriday: changeable<string | null>({ initially: null }),
    saturday: changeable<string | null>({ initially: null }),
    sunday: changeable<string | null>({ initially: null }),
    holidays: changeable<readonly string[]>({ initially: [] }),
    source: changeable<string>({ initially: '' }),
  },
  check: ({ mondayToFriday, saturday, sunday }) =>
    Object.entries({ mondayToFriday, saturday, sunday }).flatMap(([day, window]) =>
      windowFaults(day, window),
    ),
});

/** The schema has checked the form. */
function windowFaults(day: string, window: string | null): Fault[] {
  const [begin = '', end = ''] = window?.split('-') ?? [];
  return window === null || begin < end ? [] : [faults.fieldRule(day, 'a window that ends after it begins')];
}
