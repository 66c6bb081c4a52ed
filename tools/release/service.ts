/** The service as a package of npm, and what it consists of. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../programs.ts';
import { output, type Release } from './release.ts';

export function packService({ folder }: Release): void {
  output('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
}

interface Component {
  'bom-ref': string;
  properties?: { name: string }[];
}

/** The packages that run in production, as CycloneDX, without what differs from run to run. */
export function writeSbom({ folder, version, time }: Release): void {
  // With --omit dev npm leaves out what packages of development need as well, such as koa.
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const {
    serialNumber: _,
    components,
    dependencies,
    ...sbom
  } = JSON.parse(output('npm', words, { cwd: root }));
  const runs = (components as Component[]).filter(
    ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  );
  const refs = new Set([sbom.metadata.component['bom-ref'], ...runs.map((one) => one['bom-ref'])]);
  const written = {
    ...sbom,
    metadata: { ...sbom.metadata, timestamp: new Date(time * 1_000).toISOString() },
    components: runs,
    dependencies: (dependencies as { ref: string; dependsOn: string[] }[])
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
  writeFileSync(join(folder, `tarishi-${version}.cdx.json`), `${JSON.stringify(written, null, 2)}\n`);
}
