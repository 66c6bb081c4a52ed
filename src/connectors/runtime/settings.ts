/** Checks a connector's settings and secrets against what the document says of its kind. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { meantBy } from '../../platform/text/misspelling.ts';
import { own } from '../../platform/text/own.ts';
import type { KindRules } from '../contract/kind.ts';

const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  // Settings also come from command lines, where every value is text.
  coerceTypes: true,
  verbose: true,
  // A test checks the schemas of the kinds: every start of a process would compile the meta-schema for it.
  meta: false,
  validateSchema: false,
});
addFormats.default(ajv);
/** Of each kind: Ajv keeps whatever it has compiled. */
const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>();

/** The settings with defaults filled in. Throws one Error that names every fault. */
export function checkSettings<Settings>(
  kind: KindRules<Settings>,
  written: Readonly<Record<string, unknown>>,
): Settings {
  const preset = own(kind.presets, typeof written.preset === 'string' ? written.preset : undefined);
  const settings = structuredClone(preset === undefined ? written : over(preset.settings, written));
  const validate = validatorOf(kind.documented);
  if (!validate(settings)) throw new Error([...new Set((validate.errors ?? []).map(faultOf))].join('; '));
  const fault = kind.fault?.(settings as Settings);
  if (fault !== undefined) throw new Error(fault);
  return settings as Settings;
}

type Settings = Readonly<Record<string, unknown>>;

/** An object in both has the properties of both; anything else is as it is above. */
function over(below: Settings, above: Settings): Settings {
  const both = Object.entries(above).map(([name, value]) => {
    const under = own(below, name);
    return [name, isObject(under) && isObject(value) ? over(under, value) : value];
  });
  return { ...below, ...Object.fromEntries(both) };
}

const isObject = (value: unknown): value is Settings =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Of checked settings those that were written, as they were understood: defaults and presets may change. */
export function asWritten(checked: Settings, written: Settings): Settings {
  return Object.fromEntries(
    Object.entries(written).map(([name, value]) => {
      const understood = own(checked, name);
      return [name, isObject(value) && isObject(understood) ? asWritten(understood, value) : understood];
    }),
  );
}

function validatorOf(documented: KindRules['documented']) {
  const known = validators.get(documented);
  if (known !== undefined) return known;
  const { properties, required } = documented;
  const validate = ajv.compile({ type: 'object', additionalProperties: false, properties, required });
  validators.set(documented, validate);
  return validate;
}

/** Throws an Error that names a secret the kind does not know. */
export function checkSecretNames(
  { documented }: Pick<KindRules, 'documented'>,
  names: readonly string[],
): void {
  const secretNames = documented.secrets.map(({ name }) => name);
  const unknown = names.filter((name) => !secretNames.includes(name));
  if (unknown.length > 0) throw new Error(`unknown secret ${quoted(unknown)}; ${known(secretNames)}`);
}

function faultOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: string) => (place === '' ? name : `${place}.${name}`);
  if (keyword === 'additionalProperties') {
    const names = Object.keys((parentSchema as { properties?: object }).properties ?? {});
    const meant = meantBy(params.additionalProperty, names);
    const hint = meant === undefined ? known(names) : `did you mean "${inside(meant)}"?`;
    return `unknown setting ${quoted([inside(params.additionalProperty)])}; ${hint}`;
  }
  if (keyword === 'required') return `setting ${quoted([inside(params.missingProperty)])} is required`;
  const rule =
    keyword === 'enum'
      ? `must be one of ${params.allowedValues.join(', ')}`
      : keyword === 'minimum' || keyword === 'maximum'
        ? `must be at ${keyword === 'minimum' ? 'least' : 'most'} ${params.limit}`
        : message;
  return `setting ${quoted([place])} ${rule}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function known(names: readonly string[]): string {
  return names.length === 0 ? 'this kind has none' : `there are ${names.join(', ')}`;
}
