/** The frame of every page of the documentation: head, navigation, landmarks. */

export interface Page {
  /** From the root of the service, such as `/docs/guides/receipts`: all links are relative to it. */
  path: string;
  title: string;
  /** HTML of the main part, with its own h1. */
  main: string;
  /** HTML beside the main part: what else there is in this section. */
  aside?: string;
  /** HTML that goes to the end of the body. */
  scripts?: string;
  /** Which part of the documentation this is. */
  section: Section;
}

export type Section = 'guides' | 'errors' | 'reference';

const sections: Record<Section, { name: string; path: string }> = {
  guides: { name: 'Guides', path: '/docs/guides' },
  errors: { name: 'Errors', path: '/docs/errors' },
  reference: { name: 'Reference', path: '/docs' },
};

/** A whole HTML document. Links are relative, so that a proxy may serve it under a path of its own. */
export function renderPage(page: Page): string {
  const link = (path: string) => relativeLink(page.path, path);
  const navigation = Object.entries(sections).map(([section, { name, path }]) => {
    const current = section === page.section ? ' aria-current="true"' : '';
    return `<a href="${link(path)}"${current}>${name}</a>`;
  });
  // The reference brings a main element of its own.
  const main = page.section === 'reference' ? 'div' : 'main';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Tarishi</title>
<link rel="icon" href="${link('/docs/assets/icon.svg')}">
<link rel="stylesheet" href="${link('/docs/assets/style.css')}">
</head>
<body class="${page.section}">
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="name" href="${link('/docs/guides')}">Tarishi</a>
<nav aria-label="Documentation">${navigation.join('')}</nav>
</header>
${page.aside === undefined ? '' : `<nav class="aside" aria-label="${sections[page.section].name}">${page.aside}</nav>`}
<${main} id="main">
${page.main}
</${main}>
${page.scripts ?? ''}</body>
</html>
`;
}

/** `target` as seen from the page at `path`; both from the root of the service. */
export function relativeLink(path: string, target: string): string {
  return `${'../'.repeat(path.split('/').length - 2)}${target.slice(1)}`;
}

export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
