/** Reads number scripts from a file, and checks them by the schema of the control API. */
import { readFileSync } from 'node:fs';
import { loadDocument } from '../../contract/document.ts';
import { createValueCheck } from '../../http/contract/value-check.ts';
import type { NumberScripts } from './numbers.ts';

/** Throws an error that names the file and what is wrong in it. */
export function readNumberFile(file: string): NumberScripts {
  const scripts = parsed(file);
  const document = loadDocument('sandbox');
  const fault = createValueCheck(document, 'NumberScripts')(scripts);
  if (fault !== undefined) throw new Error(`the number scripts in ${file} are wrong: ${fault}`);
  return scripts as NumberScripts;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`the number scripts in ${file} cannot be read: ${(error as Error).message}`);
  }
}
