/** Turns the words of the document into those of the terminal. */
import type { Input } from '../../contract/management.ts';

export const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Without Markdown, in one line. */
export const plain = (text: string) => text.trim().replaceAll('`', '').replaceAll(/\s+/g, ' ');

/** Abbreviations stay. */
export const lowered = (text: string) => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** The description as the help shows it: what a value is, and what it means that there is none. */
export function wordsOf({ description }: Pick<Input, 'description'>): {
  about: string;
  cleared: string | undefined;
} {
  const text = plain(description).replace(/\.$/, '');
  const [about = text, cleared] = text.split(/; (?:null|empty): /);
  const defaulted = about.replace(/(; absent|\. If absent): /, '; default: ');
  return { about: lowered(defaulted), cleared };
}
