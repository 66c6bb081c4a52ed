/** Numbers and channels for the tests of rules. */
import { channelTable } from './channels.ts';
import type { PhoneParser } from './parse.ts';

/** Parses numbers with a plus, and with a leading zero as Kenyan. */
export const parsePhone: PhoneParser = (written) =>
  /^\+\d+$/.test(written) ? written : /^0\d+$/.test(written) ? `+254${written.slice(1)}` : undefined;

export const channels = channelTable([
  { name: 'Safaricom', prefixes: ['25471', '25472'], connector: 'simulator' },
  { name: 'Airtel', prefixes: ['25473'], connector: 'simulator' },
]);
