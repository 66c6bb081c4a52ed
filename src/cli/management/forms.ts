/** Values that are written in forms of their own: files, name=value, secrets, the rules of a template's parameters. */
import { readFileSync } from 'node:fs';
import { loadDocument } from '../../contract/document.ts';
import type { Input } from '../../contract/management.ts';
import { dereferenced } from '../../contract/references.ts';
import type { Schema } from '../../contract/types.ts';
import { kebab, wordsOf } from '../../http/management/words.ts';
import { own } from '../../platform/text/own.ts';
import type { Option, Values } from '../line/command.ts';
import { CommandError, UsageError } from '../line/errors.ts';
import type { Field } from './field.ts';
import { settingOptions } from './setting-options.ts';
import { definitionsOf, parameterOptions } from './template-parameters.ts';
import { changedSettings, parseJson, parseSettings, type WrittenSettings } from './written-settings.ts';

export type Form = (input: Input, name: string, clearable: boolean) => Pick<Field, 'options' | 'read'>;

/** What is in a file, of a kind that `read` understands. */
const inFile =
  (kind: string, read: (text: string, path: string) => unknown): Form =>
  (input, name) => ({
    options: {
      [name]: {
        kind: 'text',
        value: 'file',
        about: `${kind}: ${wordsOf(input).about}`,
        ...(input.required ? { required: true } : {}),
      },
    },
    read: (values) => {
      const path = textIn(values, name);
      return path === undefined ? undefined : read(readText(path), path);
    },
  });

const file = inFile('JSON file', parseJson);
const text = inFile('file', (content) => content);

/** An object whose properties are written one by one; the clearing option takes the name of one. */
const numbers: Form = (input, name, clearable) => {
  const clear = input.option.clear ?? `no-${name}`;
  return {
    options: {
      [name]: {
        kind: 'list',
        value: 'name=n',
        about: wordsOf(input).about,
        matching: { rule: /^[A-Za-z]+=\d{1,9}$/, words: 'a name and a number, such as sendSms=50' },
      },
      ...(clearable ? { [clear]: { kind: 'list', value: 'name', about: `removes one of --${name}` } } : {}),
    } satisfies Record<string, Option>,
    read: (values) => {
      const all = [
        ...listIn(values, name).map((text) => [beforeSign(text), Number(behindSign(text))] as const),
        ...listIn(values, clear).map((text) => [text, null] as const),
      ];
      const twice = all.find(([one], index) => all.findIndex(([other]) => other === one) !== index);
      if (twice !== undefined) throw new UsageError([`--${name} ${twice[0]} is given more than once`]);
      return all.length === 0 ? undefined : Object.fromEntries(all);
    },
  };
};

const nameAndValue = (input: Input): Option => ({
  kind: 'list',
  value: 'name=value',
  about: wordsOf(input).about,
  matching: { rule: /^[^=]+=./s, words: 'name=value' },
});

/** An object of texts; given ones replace all. */
const map: Form = (input, name, clearable) => {
  const clear = input.option.clear ?? `no-${name}`;
  return {
    options: {
      [name]: nameAndValue(input),
      ...(clearable ? { [clear]: { kind: 'flag', about: `removes all of --${name}` } } : {}),
    } satisfies Record<string, Option>,
    read: (values) => {
      const given = listIn(values, name);
      const removes = own(values, clear) === true;
      if (removes && given.length > 0) throw new UsageError([`--${name} and --${clear} cannot be combined`]);
      if (!removes && given.length === 0) return undefined;
      return Object.fromEntries(given.map((text) => [beforeSign(text), behindSign(text)]));
    },
  };
};

/** A list of `{name, value}`. */
const pairs: Form = (input, name) => ({
  options: { [name]: nameAndValue(input) },
  read: (values) => listIn(values, name).map((text) => ({ name: beforeSign(text), value: behindSign(text) })),
});

/** A list of connectors, each with its share if it has one. */
const weighted: Form = (input, name) => ({
  options: {
    [name]: {
      kind: 'list',
      value: 'connector=n',
      about: wordsOf(input).about,
      matching: { rule: /^[^=]+(=\d{1,4})?$/, words: 'a connector, or one with its weight, such as main=3' },
      ...(input.required ? { required: true } : {}),
    },
  },
  read: (values) => {
    const given = listIn(values, name).map((text) => {
      const [connector = '', weight] = text.split('=');
      return weight === undefined ? { connector } : { connector, weight: Number(weight) };
    });
    return given.length === 0 ? undefined : given;
  },
});

/** An object with an option for each of its properties; those that are given go over the present ones. */
const conditions: Form = ({ name: property, schema }, _name, clearable) => {
  const parts = Object.entries(schema.properties ?? {}).map(
    ([part, inner]) => [part, inner['x-option']?.name ?? kebab(part), inner] as const,
  );
  return {
    options: {
      ...Object.fromEntries(
        parts.map(([, option, { description = '', enum: choices }]) => [
          option,
          {
            kind: 'text',
            value: choices === undefined ? option : choices.join('|'),
            about: description.replace(/\.$/, '').replace(/^Only/, 'only'),
          } satisfies Option,
        ]),
      ),
      ...(clearable
        ? { 'any-message': { kind: 'flag', about: 'removes what messages must have' } as const }
        : {}),
    },
    read: (values, before) => {
      const given = parts.flatMap(([part, option]) => {
        const value = textIn(values, option);
        return value === undefined ? [] : [[part, value] as const];
      });
      const clears = own(values, 'any-message') === true;
      if (given.length === 0 && !clears) return undefined;
      return {
        ...(clears ? {} : (own(before, property) as object | undefined)),
        ...Object.fromEntries(given),
      };
    },
  };
};

/** The settings of a connector: an option for each, a file, and changes to it or to the present settings. */
const settings: Form = (input, name, clearable) => {
  const each = settingOptions(input.schema);
  return {
    options: {
      ...each.options,
      [name]: { kind: 'text', value: 'file', about: `JSON file: ${wordsOf(input).about}` },
      set: { kind: 'list', value: 'name=value', about: 'one setting; use dotted names for its parts' },
      ...(clearable
        ? { unset: { kind: 'list', value: 'name', about: 'a setting to reset to its default' } }
        : {}),
    } satisfies Record<string, Option>,
    read: (values, before) => {
      const path = textIn(values, name);
      const [set, unset] = [listIn(values, 'set'), listIn(values, 'unset')];
      const given = each.read(values);
      const named = Object.keys(given.values);
      if (path === undefined && [set, unset, given.parts, named].every((one) => one.length === 0))
        return undefined;
      const written = path === undefined ? {} : parseSettings(readText(path));
      const present = (own(clearable ? before : {}, 'settings') ?? {}) as WrittenSettings;
      const all = { ...present, ...written, ...given.values };
      return changedSettings(all, [...set, ...given.parts], unset);
    },
  };
};

/** The secrets of all kinds of connectors: `callbackSecret` is read by `--callback-secret-file`. */
const secrets: Form = () => {
  const document = loadDocument('management').enforced;
  const { anyOf = [] } = dereferenced(document, document.components.schemas.ConnectorSettings ?? {});
  const secretsOf = (schema: Schema) => (schema['x-secrets'] ?? []).map(({ name }) => name);
  const names = [...new Set(anyOf.flatMap(secretsOf))];
  const kindsOf = (secret: string) =>
    anyOf.filter((kind) => secretsOf(kind).includes(secret)).map((kind) => kind['x-kind']);
  return {
    options: Object.fromEntries(
      names.map((secret) => [
        kebab(secret),
        { kind: 'secret', about: `its ${secret} (${kindsOf(secret).join(', ')})` },
      ]),
    ),
    read: (values) => {
      const given = names.flatMap((secret) => {
        const value = textIn(values, kebab(secret));
        return value === undefined ? [] : [[secret, value] as const];
      });
      return given.length === 0 ? undefined : Object.fromEntries(given);
    },
  };
};

/** The rules of the parameters of an SMS template; given options replace all of them. */
const parameters: Form = (input, _name, clearable) => {
  const clear = input.option.clear ?? 'no-params';
  return {
    options: {
      ...parameterOptions,
      ...(clearable ? { [clear]: { kind: 'flag', about: 'remove the rules of all parameters' } } : {}),
    },
    read: (values) => {
      const definitions = definitionsOf({
        param: listIn(values, 'param'),
        optional: listIn(values, 'optional'),
        default: listIn(values, 'default'),
      });
      const removes = own(values, clear) === true;
      if (removes && definitions.length > 0)
        throw new UsageError([`--${clear} cannot be combined with --param, --optional or --default`]);
      return removes || definitions.length > 0 ? definitions : undefined;
    },
  };
};

export const forms: Readonly<Record<string, Form>> = {
  file,
  text,
  numbers,
  map,
  pairs,
  weighted,
  conditions,
  settings,
  secrets,
  parameters,
};

const listIn = (values: Values, name: string) => (own(values, name) ?? []) as string[];
const textIn = (values: Values, name: string) => own(values, name) as string | undefined;
const beforeSign = (text: string) => text.slice(0, text.indexOf('='));
const behindSign = (text: string) => text.slice(text.indexOf('=') + 1);

/** `-` is the standard input. */
function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
