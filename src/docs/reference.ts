/** The page of the interactive reference. Its content comes from /openapi.json, by the scripts it loads. */
import { loadAsset, scalarName } from './assets.ts';
import { relativeLink, renderPage } from './page.ts';

const path = '/docs';

/** `basePath`: the path that the paths of the document are below, such as `/management`. */
export async function renderReference(basePath: string): Promise<string> {
  const scripts = await Promise.all(['no-eval.js', scalarName, 'reference.js'].map(scriptElement));
  return renderPage({
    path,
    title: 'API reference',
    section: 'reference',
    main: `<div id="reference" data-base="${relativeLink(path, basePath)}"></div>\n<noscript><p>The interactive reference needs JavaScript. The document behind it is <a href="openapi.yaml">openapi.yaml</a>.</p></noscript>`,
    scripts: scripts.join(''),
  });
}

async function scriptElement(name: string): Promise<string> {
  const asset = await loadAsset(name);
  return `<script src="${relativeLink(path, `/docs/assets/${name}`)}" integrity="${asset?.integrity}"></script>\n`;
}
