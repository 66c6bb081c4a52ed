/** The examples of the guides and the README: the fenced blocks of their Markdown, in order. */
import { readFileSync } from 'node:fs';
import { marked, type Tokens } from 'marked';
import type { GuideName } from '../../../src/docs/site/catalogue.ts';

export interface Example {
  language: string;
  /** `file=receiver.py run=no` of the opening line. */
  attributes: Readonly<Record<string, string>>;
  text: string;
}

export function examplesOf(guide: GuideName): Example[] {
  return examplesIn(`docs/guides/${guide}.md`);
}

/** `file` is a path from the project's root. */
export function examplesIn(file: string): Example[] {
  return examplesInText(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'));
}

/** In a text in Markdown. */
export function examplesInText(text: string): Example[] {
  return marked
    .lexer(text)
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ lang = '', text: code }) => {
      const [language = '', ...attributes] = lang.split(' ');
      return {
        language,
        attributes: Object.fromEntries(attributes.map((one: string) => one.split('='))),
        text: code,
      };
    });
}
