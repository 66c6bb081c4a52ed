/** The signs of states and buttons, drawn on a field of 24 by 24. */
import { Html } from '../../docs/render/html.ts';

const shapes = {
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  cross: '<path d="M6.5 6.5l11 11m0-11-11 11"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  right: '<path d="M5 12h14m-5-5 5 5-5 5"/>',
  pause: '<path d="M9 6v12M15 6v12"/>',
  low: '<path d="M4 19h16M7 19v-4M12 19V9M17 19V5"/>',
  read: '<path d="M7 4h7l4 4v12H7zM10 12h5M10 16h5"/>',
  stop: '<circle cx="12" cy="12" r="8.5"/><path d="m6.5 6.5 11 11"/>',
  again: '<path d="M19 12a7 7 0 1 1-2.2-5.1M19 3v4.5h-4.5"/>',
  in: '<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  warn: '<path d="M12 4 2.8 20h18.4zM12 10v4.5m0 2.5v.2"/>',
  question: '<path d="M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.2-1.5 2.3m0 3v.2"/>',
} as const;

export type Icon = keyof typeof shapes;

/** For the eye only: a word stands beside it. */
export function icon(name: Icon): Html {
  return new Html(`<svg class="i" aria-hidden="true" viewBox="0 0 24 24">${shapes[name]}</svg>`);
}
