/** Reports the changes since the last release, and the release rules that they break. */
import type { Change } from './change.ts';

export interface Judged {
  /** The document's file name. */
  name: string;
  /** `info.version` of the released document and of the present one. */
  versions: { released: string; present: string };
  changes: readonly Change[];
  changelog: string;
}

export interface Report {
  text: string;
  passed: boolean;
}

/**
 * Breaking changes fail. Any other needs a version above the released one and an entry under `## Unreleased`
 * that names its operation, and a property that requests could have before also one that names the property: somebody
 * has looked at what clients may have sent.
 */
export function report({ name, versions, changes, changelog }: Judged): Report {
  const breaking = changes.filter((one) => one.breaking);
  const ignored = changes.filter((one) => !one.breaking && one.wasIgnored !== undefined);
  const additions = changes.filter((one) => !one.breaking && one.wasIgnored === undefined);
  const faults =
    changes.length === 0
      ? []
      : [
          ...versionFaults(versions),
          ...changelogFaults(changes, changelog),
          ...ignoredFaults(ignored, changelog),
        ].map((fault) => `  ${fault}`);
  const sections = [
    section(`These changes break clients of version ${versions.released}:`, linesOf(breaking)),
    section(
      'These can break clients, which may have sent the property before with any value:',
      linesOf(ignored),
    ),
    section(`Compatible changes since version ${versions.released}:`, linesOf(additions)),
    section('Still to do for a changed contract:', faults),
  ].filter((text) => text !== '');
  return {
    text: `${[`${name}: ${summary(breaking.length, changes.length - breaking.length)}`, ...sections].join('\n\n')}\n`,
    passed: breaking.length === 0 && faults.length === 0,
  };
}

function summary(breaking: number, additions: number): string {
  if (breaking + additions === 0) return 'as released';
  return `${breaking} breaking and ${additions} compatible changes`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n');
}

/** Grouped by operation, in the order of the document. */
function linesOf(changes: readonly Change[]): string[] {
  return [...Map.groupBy(changes, ({ operation }) => operation)].flatMap(([operation, group]) => [
    `  ${operation}`,
    ...group.map(({ place, what }) => `    ${place}: ${what}`),
  ]);
}

function versionFaults({ released, present }: Judged['versions']): string[] {
  return released === present ? [`info.version is still ${present}, that of the released contract`] : [];
}

function unreleasedOf(changelog: string): string {
  const [, unreleased = ''] = `\n${changelog}`.split('\n## Unreleased\n', 2);
  const [entries = ''] = `\n${unreleased}`.split('\n## ', 1);
  return entries;
}

function ignoredFaults(ignored: readonly Change[], changelog: string): string[] {
  const entries = unreleasedOf(changelog);
  const properties = new Set(ignored.map(({ wasIgnored = '' }) => wasIgnored));
  return [...properties]
    .filter((property) => !entries.includes(`\`${property}\``))
    .map(
      (property) => `CHANGELOG.md does not say that \`${property}\`, which was ignored, has an effect now`,
    );
}

function changelogFaults(changes: readonly Change[], changelog: string): string[] {
  const entries = unreleasedOf(changelog);
  const operations = new Set(changes.map(({ operation }) => operation));
  return [...operations]
    .filter((operation) => !entries.includes(`\`${operation}\``))
    .map((operation) => `CHANGELOG.md has no entry under "## Unreleased" that names \`${operation}\``);
}
