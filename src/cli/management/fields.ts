/** Makes the options and arguments of a command from the properties and parameters of its operation. */

import type { Input, Operation } from '../../contract/management.ts';
import type { CommandWords } from '../../contract/words.ts';
import { kebab, wordsOf } from '../../http/management/words.ts';
import { own } from '../../platform/text/own.ts';
import type { Values } from '../line/command.ts';
import { UsageError } from '../line/errors.ts';
import type { Argument, Field, TextRule } from './field.ts';
import { forms } from './forms.ts';

/** What a command takes, as its words say; pages are turned by the command itself. */
export function fieldsOf(
  { method, inputs }: Operation,
  { words, arguments: named = [], options: only, sets = {}, streams, all }: CommandWords,
): { args: Argument[]; options: Field[] } {
  const [noun = ''] = words.split(' ');
  const isArgument = ({ in: place, name }: Input) => place === 'path' || named.includes(name);
  const isOption = (input: Input) =>
    !isArgument(input) && own(sets, input.name) === undefined && (only?.includes(input.name) ?? true);
  const shown = inputs.filter(({ name }) => name !== 'cursor' && name !== 'limit');
  const options = shown.filter(isOption).map((input) => optionField(input, method === 'patch'));
  const limit = inputs.find(({ name, in: place }) => name === 'limit' && place === 'query');
  if (limit !== undefined && streams === undefined) options.push(limitField(limit));
  if (all !== undefined)
    options.push({
      input: { ...(shown[0] as Input), name: '', in: 'query' },
      shownAs: '--all',
      options: { all: { kind: 'flag', about: 'all of them' } },
      read: () => undefined,
    });
  return { args: shown.filter(isArgument).map((input) => argumentField(input, noun)), options };
}

/** How many items are shown, on however many pages. */
function limitField(input: Input): Field {
  const about = 'number of items, the first ones of the list';
  return {
    input,
    shownAs: '--limit',
    options: { limit: { kind: 'number', min: 1, max: 1_000_000, value: 'n', about } },
    read: () => undefined,
  };
}

/** `clearable`: the command changes a resource, so an empty value is not the same as none. */
function optionField(input: Input, clearable: boolean): Field {
  const { option } = input;
  const name = nameOf(input);
  const shownAs = `--${name}`;
  if (option.form !== undefined) {
    const form = own(forms, option.form);
    if (form === undefined) throw new Error(`${input.name}: there is no form ${option.form}`);
    return { input, shownAs, ...form(input, name, clearable) };
  }
  if (typesOf(input).has('boolean')) return booleanField(input, name);
  const { about, cleared } = wordsOf(input);
  const written = {
    about: option.default === undefined ? about : `${about}; default: ${option.default}`,
    ...(option.value === undefined ? {} : { value: option.value }),
    ...(input.required && option.default === undefined ? { required: true } : {}),
  };
  const clear = clearable ? clearOf(input, name) : undefined;
  return {
    input,
    shownAs,
    options: {
      [name]: { ...written, ...kindOf(input) },
      ...(clear === undefined
        ? {}
        : { [clear]: { kind: 'flag', about: `clears --${name}: ${cleared ?? 'none'}` } as const }),
    },
    read: (values) => {
      const value = given(own(values, name)) ?? option.default;
      if (clear === undefined || !own(values, clear)) return value;
      if (value !== undefined) throw new UsageError([`--${name} and --${clear} cannot be combined`]);
      return typesOf(input).has('array') ? [] : null;
    },
  };
}

/** A word without an option. What has only `id` as its name is called like what the command is about. */
function argumentField(input: Input, noun: string): Argument {
  const written = nameOf(input).replace(/(?<=.)-(name|key)$/, '');
  const name = ['id', 'name', 'key'].includes(written) ? noun : written;
  return {
    input,
    shownAs: `<${name}>`,
    options: {},
    read: (values) => own(values, name),
    name,
    about: wordsOf(input).about,
    matching: ruleOf(input) ?? { rule: /\S/, words: 'a text' },
  };
}

/** An omitted list is empty on the command line. */
const given = (value: Values[string]) => (Array.isArray(value) && value.length === 0 ? undefined : value);

function nameOf({ name, option }: Input): string {
  return option.name ?? kebab(name.replace(/(?<=.)Id$/, ''));
}

const typesOf = ({ schema: { type } }: Input) => new Set([type ?? []].flat());

function booleanField(input: Input, name: string): Field {
  const { about } = wordsOf(input);
  // A parameter that is absent is false; a property that is absent stays as it is.
  const negative = input.in === 'body' ? `no-${name}` : undefined;
  return {
    input,
    shownAs: `--${name}`,
    options: {
      [name]: { kind: 'flag', about },
      ...(negative === undefined ? {} : { [negative]: { kind: 'flag', about: `the opposite of --${name}` } }),
    },
    read: (values) => {
      const [yes, no] = [
        own(values, name) === true,
        negative !== undefined && own(values, negative) === true,
      ];
      if (yes && no) throw new UsageError([`--${name} and --${negative} cannot be combined`]);
      return yes ? true : no ? false : undefined;
    },
  };
}

function kindOf(input: Input) {
  const { schema } = input;
  const types = typesOf(input);
  if (types.has('array')) {
    const item = schema.items ?? {};
    return { kind: 'list', ...valuesOf({ ...input, schema: item, example: item.examples?.[0] }) } as const;
  }
  if (types.has('integer') || types.has('number')) {
    const { minimum: min = Number.MIN_SAFE_INTEGER, maximum: max = Number.MAX_SAFE_INTEGER } = schema;
    return { kind: 'number', min, max, value: input.option.value ?? 'n' } as const;
  }
  return { kind: 'text', ...valuesOf(input) } as const;
}

function valuesOf(input: Input) {
  const choices = input.schema.enum?.filter((one) => one !== null);
  if (choices !== undefined) return { choices };
  const matching = ruleOf(input);
  return matching === undefined ? {} : { matching };
}

function ruleOf({ schema: { pattern, format }, example }: Input): TextRule | undefined {
  if (format === 'date-time')
    return {
      rule: /^\d{4}-\d\d-\d\dT[^T]+(Z|[+-]\d\d:\d\d)$/,
      words: `a date and time with a time zone, such as ${example}`,
    };
  if (pattern === undefined) return undefined;
  return { rule: new RegExp(pattern, 'u'), words: `like ${example}: ${pattern}` };
}

function clearOf({ schema, option }: Input, name: string): string | undefined {
  const nullable = [schema.type ?? []].flat().includes('null');
  const emptied = schema.type === 'array' && (schema.minItems ?? 0) === 0;
  return nullable || emptied ? (option.clear ?? `no-${name}`) : undefined;
}
