/**
 * Writes the public holidays that quiet hours begin with. With two years, prints the commands that give a running service
 * those of the years. Usage: `node tools/write-holidays.ts [--check | FIRST_YEAR LAST_YEAR]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import Holidays from 'date-holidays';
import library from 'date-holidays/package.json' with { type: 'json' };

/** Those whose rules name public holidays: see the sources in quiet-hours.sql. */
const countries = ['FR', 'ZA'];
const firstYear = 2026;
const lastYear = 2028;

const file = new URL('../src/platform/db/migrations/0001_initial/holidays.sql', import.meta.url);

function holidaysOf(country: string, first: number, last: number): string[] {
  const calendar = new Holidays(country);
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const dates = years
    .flatMap((year) => calendar.getHolidays(year))
    .filter(({ type }) => type === 'public')
    .map(({ date }) => date.slice(0, '2026-12-25'.length));
  return [...new Set(dates)].sort();
}

/** One statement for each country, a line for each year. */
function tableText(): string {
  const updates = countries.map((country) => {
    const years = Map.groupBy(holidaysOf(country, firstYear, lastYear), (date) => date.slice(0, 4));
    const lines = [...years.values()].map((dates) => `  ${dates.map((date) => `"${date}"`).join(', ')}`);
    return `update quiet_hours set holidays = '[\n${lines.join(',\n')}\n]' where country = '${country}';\n`;
  });
  return `-- Public holidays of ${firstYear} to ${lastYear}, from date-holidays ${library.version} (CC BY 3.0). Written by tools/write-holidays.ts.

${updates.join('\n')}`;
}

const [first, last] = process.argv.slice(2);
if (first === undefined) writeFileSync(file, tableText());
else if (first !== '--check')
  for (const country of countries) {
    const options = holidaysOf(country, Number(first), Number(last)).map((date) => `--holiday ${date}`);
    process.stdout.write(`npx tarishi quiet-hours set ${country} ${options.join(' ')}\n`);
  }
else if (readFileSync(file, 'utf8') !== tableText()) {
  process.stderr.write('holidays.sql is not what date-holidays says: node tools/write-holidays.ts\n');
  process.exitCode = 1;
}
