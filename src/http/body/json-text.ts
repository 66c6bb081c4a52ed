/** Checks the text of a JSON body in one pass each, before and beside JSON.parse: building and walking trees costs more. */
import { errors } from '../../platform/errors.ts';
import { nestingLimitLevels, partsLimit, propertiesLimit } from '../bounds.ts';

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Properties of the object at each depth of the text that is looked at. */
const properties = new Uint32Array(nestingLimitLevels + 1);

/** Rejects what is nested too deep or would take JSON.parse long. Text that is not JSON may pass. */
export function requireBounded(text: string): void {
  properties[0] = 0;
  let depth = 0;
  let parts = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === backslash) index += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBracket || code === openBrace) {
      depth += 1;
      parts += 1;
      if (depth > nestingLimitLevels) throw errors.tooDeeplyNested(nestingLimitLevels);
      properties[depth] = 0;
    } else if (code === closeBracket || code === closeBrace) depth = Math.max(0, depth - 1);
    else if (code === colon) {
      parts += 1;
      const count = (properties[depth] ?? 0) + 1;
      if (count > propertiesLimit) throw errors.tooManyProperties(propertiesLimit);
      properties[depth] = count;
    }
    if (parts > partsLimit) throw errors.tooManyValues(partsLimit);
  }
}

/**
 * PostgreSQL's text holds no NUL, and UTF-8 no unpaired surrogate; JSON can only write them as escapes. The text is
 * valid JSON, so every backslash begins an escape in a string.
 */
export function requireStorableEscapes(text: string): void {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at + 2)) {
    const unit = escapedUnit(text, at);
    if (unit === undefined) continue;
    if (unit === 0 || isLowSurrogate(unit)) throw errors.invalidCharacters();
    if (isHighSurrogate(unit)) {
      at += 6;
      if (!isLowSurrogate(escapedUnit(text, at))) throw errors.invalidCharacters();
    }
  }
}

/** The UTF-16 unit of the escape `\\uXXXX` at this place; undefined when there is none. */
function escapedUnit(text: string, at: number): number | undefined {
  return text[at] === '\\' && text[at + 1] === 'u'
    ? Number.parseInt(text.slice(at + 2, at + 6), 16)
    : undefined;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0xdc00 && unit < 0xe000;
}
