/**
 * Keeps the files of an empty embedded database beside the code, so that a first start copies them instead of taking
 * seconds to make them.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const { setFlagsFromString } = require('v8');

async function keep() {
  const version = require('../package.json').dependencies['@electric-sql/pglite'];
  const folder = path.join(__dirname, '..', 'vendor', 'pglite');
  const file = path.join(folder, `empty-${version}.tar.gz`);
  if (fs.existsSync(file)) return;
  // Optimizing PGlite's code takes longer than running it once.
  for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create();
  const image = await database.dumpDataDir('gzip');
  await database.close();
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  // Two installations at once: a reader finds a whole file.
  fs.writeFileSync(`${file}.${process.pid}`, Buffer.from(await image.arrayBuffer()));
  fs.renameSync(`${file}.${process.pid}`, file);
}

keep().catch((error) => {
  // Without the file a first start only takes longer.
  process.stderr.write(`tarishi: no empty database was kept: ${error.message}\n`);
});
