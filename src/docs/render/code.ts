/** Blocks of code: one alone, or the same in several languages behind tabs. */
import { createRequire } from 'node:module';
import { own } from '../../platform/text/own.ts';
import { escapeHtml } from './html.ts';

export interface CodeBlock {
  language: string;
  /** What stands above it, or on its tab. */
  label: string;
  text: string;
}

const labels: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
  json: 'JSON',
  http: 'HTTP',
  yaml: 'YAML',
  ini: 'Settings',
  sql: 'SQL',
};

export function labelOf(language: string): string {
  return own(labels, language) ?? '';
}

export function codeBlock({ language, label, text }: CodeBlock): string {
  const head = label === '' ? '' : `<div class="head">${escapeHtml(label)}</div>`;
  return `<div class="code">${head}${pre(text, language)}</div>\n`;
}

/** `id` makes the ids of its parts, and must be its own on the page. */
export function codeTabs(id: string, blocks: readonly CodeBlock[]): string {
  const tabs = blocks.map(
    ({ language, label }, place) =>
      `<button type="button" role="tab" id="${id}-tab-${place}" aria-controls="${id}-panel-${place}" aria-selected="${place === 0}" tabindex="${place === 0 ? 0 : -1}" data-language="${escapeHtml(language)}">${escapeHtml(label)}</button>`,
  );
  const panels = blocks.map(
    ({ language, label, text }, place) =>
      `<div role="tabpanel" id="${id}-panel-${place}" aria-labelledby="${id}-tab-${place}" data-label="${escapeHtml(label)}"${place === 0 ? '' : ' hidden'}>${pre(text, language)}</div>`,
  );
  return `<div class="code tabs"><div class="head" role="tablist" aria-label="Language">${tabs.join('')}</div>${panels.join('')}</div>\n`;
}

/** Reached by keyboard, because it may be wider than the screen. */
function pre(text: string, language: string): string {
  return `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${highlight(text, language)}</code></pre>`;
}

/** As much of highlight.js as is used here. */
interface Highlighter {
  registerLanguage: (name: string, language: unknown) => void;
  getLanguage: (name: string) => object | undefined;
  highlight: (text: string, options: { language: string }) => { value: string };
}

// Its types would declare the globals of browsers for the whole project.
const load = createRequire(import.meta.url);
const highlighter: Highlighter = load('highlight.js/lib/core');
const languages = ['bash', 'go', 'http', 'ini', 'java', 'json', 'php', 'python', 'sql', 'typescript', 'yaml'];
for (const name of languages) highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));

/** As they are written after a fence. */
const aliases: Readonly<Record<string, string>> = { sh: 'bash', ts: 'typescript', js: 'typescript' };

/** HTML with a class for each kind of word. */
function highlight(text: string, language: string): string {
  const name = own(aliases, language) ?? language;
  return highlighter.getLanguage(name) === undefined
    ? escapeHtml(text)
    : highlighter.highlight(text, { language: name }).value;
}
