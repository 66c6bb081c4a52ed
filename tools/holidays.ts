/**
 * Prints the commands that give a running service the public holidays of these years; quiet hours begin with those of 2026 to
 * 2028. Usage: `node --import ./tools/install.ts tools/holidays.ts FIRST_YEAR LAST_YEAR`.
 */
import Holidays from 'date-holidays';

/** Those whose rules name public holidays: see the sources in quiet-hours.sql. */
const countries = ['FR', 'ZA'];

const [first = Number.NaN, last = Number.NaN] = process.argv.slice(2).map(Number);
if (!(first <= last)) throw new Error('Name the first and the last year');
for (const country of countries) {
  const calendar = new Holidays(country);
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const dates = years
    .flatMap((year) => calendar.getHolidays(year))
    .filter(({ type }) => type === 'public')
    .map(({ date }) => date.slice(0, '2026-12-25'.length));
  const options = [...new Set(dates)].sort().map((date) => `--holiday ${date}`);
  process.stdout.write(`npx tarishi quiet-hours set ${country} ${options.join(' ')}\n`);
}
