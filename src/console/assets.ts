/** The static files of the console; their base is that of the documentation. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type AssetFile, createAssets } from '../docs/asset-files.ts';

const file = (path: string, type: string): AssetFile => ({ file: new URL(path, import.meta.url), type });

export const loadConsoleAsset = createAssets(
  new Map([
    ['base.css', file('../../docs/assets/base.css', 'text/css')],
    ['icon.svg', file('../../docs/assets/icon.svg', 'image/svg+xml')],
    ['style.css', file('assets/style.css', 'text/css')],
    ['live.js', file('assets/live.js', 'text/javascript')],
    ['refresh.js', file('assets/refresh.js', 'text/javascript')],
    [
      'idiomorph.js',
      file(
        pathToFileURL(createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.esm.js')).href,
        'text/javascript',
      ),
    ],
  ]),
);
