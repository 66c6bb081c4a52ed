/** The options that describe the parameters of an SMS template. */
import type { ParamDefinition, ParamFormat } from '../../products/templates/template.ts';

const parameterRule = {
  rule: /^\w+(:(PlainText|Alphanumeric|Numeric|Name)(:[1-9]\d{0,2})?)?$/,
  words:
    'a name, :format and :maxLength, such as order:Numeric:10; formats are PlainText, Alphanumeric, Numeric, Name',
};

export const parameterOptions = {
  param: {
    kind: 'list',
    about: `rules of a placeholder: ${parameterRule.words}`,
    matching: parameterRule,
  },
  optional: {
    kind: 'list',
    about: 'a parameter that requests may omit; it needs a --default',
    value: 'name',
  },
  default: {
    kind: 'list',
    about: 'value of a parameter that a request omits',
    value: 'name=value',
    matching: { rule: /^\w+=./s, words: 'a name and a value: name=value' },
  },
} as const;

/** The rules of every placeholder that `--param`, `--optional` or `--default` names. */
export function definitionsOf({
  param,
  optional,
  default: defaults,
}: {
  param: string[];
  optional: string[];
  default: string[];
}): ParamDefinition[] {
  const definitions = param.map((text): ParamDefinition => {
    const [name = '', format = 'PlainText', maxLength] = text.split(':');
    return {
      name,
      format: format as ParamFormat,
      required: true,
      ...(maxLength === undefined ? {} : { maxLength: Number(maxLength) }),
    };
  });
  const named = (name: string): ParamDefinition => {
    const known = definitions.find((one) => one.name === name);
    if (known !== undefined) return known;
    const added: ParamDefinition = { name, format: 'PlainText', required: true };
    definitions.push(added);
    return added;
  };
  for (const name of optional) named(name).required = false;
  for (const text of defaults) {
    const split = text.indexOf('=');
    named(text.slice(0, split)).default = text.slice(split + 1);
  }
  return definitions;
}
