/** Colours code: HTML with a class for each kind of word. */

import { createRequire } from 'node:module';
import { own } from '../../platform/text/own.ts';
import { escapeHtml } from './html.ts';

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

export function highlight(text: string, language: string): string {
  const name = own(aliases, language) ?? language;
  return highlighter.getLanguage(name) === undefined
    ? escapeHtml(text)
    : highlighter.highlight(text, { language: name }).value;
}
