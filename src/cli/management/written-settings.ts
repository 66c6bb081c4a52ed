/** Reads connector settings from command-line options or a file. */
import { own } from '../../platform/text/own.ts';
import { CommandError } from '../line/errors.ts';

export type WrittenSettings = Record<string, unknown>;

/** The text of a file: one JSON object. Throws a CommandError. */
export function parseSettings(text: string): WrittenSettings {
  const value = parseJson(text, 'the settings');
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new CommandError('the settings are not a JSON object');
  return value as WrittenSettings;
}

/**
 * The settings with each `name=value` put in and each of `unset` taken out. A dotted name reaches into an object;
 * a value that begins with { or [ is JSON. Throws a CommandError.
 */
export function changedSettings(
  before: Readonly<WrittenSettings>,
  assignments: readonly string[],
  unset: readonly string[],
): WrittenSettings {
  const settings = structuredClone(before) as WrittenSettings;
  for (const name of unset) {
    const { holder, last } = placeOf(settings, name);
    if (!Object.hasOwn(holder, last)) throw new CommandError(`setting "${name}" is not set`);
    delete holder[last];
  }
  for (const assignment of assignments) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandError(`"${assignment}" is not a setting: write name=value`);
    const { holder, last } = placeOf(settings, name);
    holder[last] = /^[{[]/.test(value) ? parseJson(value, `setting "${name}"`) : value;
  }
  return settings;
}

function placeOf(settings: WrittenSettings, name: string): { holder: WrittenSettings; last: string } {
  const steps = name.split('.');
  const last = steps.pop() ?? '';
  // Names that would reach what every object inherits.
  if ([...steps, last].some((step) => Reflect.has(Object.prototype, step)))
    throw new CommandError(`unknown setting "${name}"`);
  let holder = settings;
  for (const step of steps) {
    const inner = own(holder, step) ?? {};
    if (typeof inner !== 'object' || Array.isArray(inner))
      throw new CommandError(`setting "${step}" has no parts`);
    holder[step] = inner;
    holder = inner as WrittenSettings;
  }
  return { holder, last };
}

/** Throws a CommandError that quotes nothing of the text. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${what} must be valid JSON`);
  }
}
