/**
 * The languages of samples, in the order of their tabs. Not httpsnippet: it needs a third-party package in Python, and
 * quotes JSON as one string in Go and Java.
 */
import type { Call } from './call.ts';
import { inGo } from './go.ts';
import { inJava } from './java.ts';
import { inPhp } from './php.ts';
import { inPython } from './python.ts';
import { inTypescript } from './typescript.ts';

export interface Language {
  /** As it is written after the fence of a code block. */
  id: string;
  name: string;
  /** The program for a call; shell has the command itself. */
  write?: (call: Call) => string;
}

export const languages: readonly Language[] = [
  { id: 'sh', name: 'curl' },
  { id: 'ts', name: 'TypeScript', write: inTypescript },
  { id: 'python', name: 'Python', write: inPython },
  { id: 'php', name: 'PHP', write: inPhp },
  { id: 'go', name: 'Go', write: inGo },
  { id: 'java', name: 'Java', write: inJava },
];
