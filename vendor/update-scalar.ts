/** Copies Scalar's standalone script out of the installed package, and records what was copied. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const name = '@scalar/fastify-api-reference';
const file = 'dist/js/standalone.js';

const installed = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
const script = readFileSync(join(installed, file));
const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
const sha256 = createHash('sha256').update(script).digest('hex');

const target = (copy: string) => new URL(`scalar/${copy}`, import.meta.url);
writeFileSync(target('standalone.js'), script);
writeFileSync(target('LICENSE'), readFileSync(join(installed, 'LICENSE')));
writeFileSync(
  target('origin.json'),
  `${JSON.stringify({ package: name, version, file, sha256 }, undefined, 2)}\n`,
);
