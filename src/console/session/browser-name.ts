/** Names a browser and its system for the person who used them, from the User-Agent header, which may say anything. */

/** The first that is in the header: those further down are also in the headers of others. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['Windows', 'Windows'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Such as `Firefox on Windows`. */
export function browserName(userAgent: string): string {
  const named = (list: readonly (readonly [string, string])[]) =>
    list.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser === undefined) return 'Another program';
  return system === undefined ? browser : `${browser} on ${system}`;
}
