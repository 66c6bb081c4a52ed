/** An option for each setting of each kind of connector, as the document has them: `--system-id`, `--error-states 003=Failed`. */

import type { Schema } from '../../contract/types.ts';
import { kebab } from '../../http/management/words.ts';
import { own } from '../../platform/text/own.ts';
import type { Option, Values } from '../line/command.ts';
import { UsageError } from '../line/errors.ts';

interface Setting {
  name: string;
  option: string;
  /** The kinds of connectors that have it, each with what it is there. */
  schemas: [kind: string, schema: Schema][];
}

export interface SettingOptions {
  options: Record<string, Option>;
  /** Throws a UsageError. What is given: whole settings, and parts of those that are objects, as `name.part=value`. */
  read: (values: Values) => { values: Record<string, unknown>; parts: string[] };
}

/** `schema`: of the settings of all kinds. */
export function settingOptions(schema: Schema): SettingOptions {
  const all = settingsIn(schema);
  return {
    options: Object.assign({}, ...all.map(optionsOf)),
    read: (values) => {
      requireOfKind(all, values);
      return {
        values: Object.fromEntries(
          all.flatMap((setting) => {
            const value = isObject(setting) ? undefined : givenIn(setting, values);
            return value === undefined ? [] : [[setting.name, value]];
          }),
        ),
        parts: all
          .filter(isObject)
          .flatMap(({ name, option }) =>
            ((own(values, option) ?? []) as string[]).map((part) => `${name}.${part}`),
          ),
      };
    },
  };
}

function settingsIn({ anyOf = [] }: Schema): Setting[] {
  const found = new Map<string, Setting>();
  for (const { 'x-kind': kind, properties = {} } of anyOf) {
    if (kind === undefined) continue;
    for (const [name, schema] of Object.entries(properties)) {
      const setting = found.get(name) ?? { name, option: optionNameOf(name), schemas: [] };
      setting.schemas.push([kind, schema]);
      found.set(name, setting);
    }
  }
  return [...found.values()];
}

/** `--version` is that of the program. */
const optionNameOf = (name: string) => (name === 'version' ? 'api-version' : kebab(name));

function optionsOf({ option, schemas }: Setting): Record<string, Option> {
  const [[, schema] = ['', {} as Schema]] = schemas;
  const about = `${(schema.description ?? '').replaceAll('`', '').replace(/\.$/, '')} (${schemas.map(([kind]) => kind).join(', ')})`;
  if (schema.type === 'boolean')
    return {
      [option]: { kind: 'flag', about },
      [`no-${option}`]: { kind: 'flag', about: `the opposite of --${option}` },
    };
  if (schema.type === 'object') return { [option]: { kind: 'list', value: 'name=value', about } };
  if (schema.type === 'integer') {
    const bounds = schemas.map(([, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }]) => [
      minimum,
      maximum,
    ]);
    const min = Math.min(...bounds.map(([least = 0]) => least));
    const max = Math.max(...bounds.map(([, most = 0]) => most));
    return { [option]: { kind: 'number', min, max, value: 'n', about } };
  }
  const choices = [...new Set(schemas.flatMap(([, { enum: words = [] }]) => words))];
  return {
    [option]: {
      kind: 'text',
      value: 'text',
      about,
      ...(schema.enum === undefined ? {} : { choices }),
    },
  };
}

/** Throws a UsageError about settings that connectors of the given kind do not have. */
function requireOfKind(all: readonly Setting[], values: Values): void {
  const kind = own(values, 'kind');
  const isGiven = (setting: Setting) =>
    isObject(setting)
      ? ((own(values, setting.option) ?? []) as string[]).length > 0
      : givenIn(setting, values) !== undefined;
  const foreign = all.filter(
    (setting) => isGiven(setting) && setting.schemas.every(([other]) => other !== kind),
  );
  if (kind !== undefined && foreign.length > 0)
    throw new UsageError(
      foreign.map(
        ({ option, schemas }) =>
          `--${option} is a setting of ${schemas.map(([other]) => other).join(' and ')}, not of ${String(kind)}`,
      ),
    );
}

const isObject = ({ schemas }: Setting) => schemas[0]?.[1].type === 'object';

function givenIn({ option }: Setting, values: Values): unknown {
  if (own(values, `no-${option}`) === true) return false;
  const given = own(values, option);
  // A flag that is not given is false.
  return given === false ? undefined : given;
}
