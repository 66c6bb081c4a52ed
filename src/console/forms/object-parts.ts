/** The parts of an object that the document describes, each of which has a field of its own. */
import type { Schema } from '../../contract/types.ts';
import { own } from '../../platform/text/own.ts';
import { insideSentence, labelOf } from '../layout/values.ts';

export interface ObjectPart {
  /** Such as `components.header.text`. */
  name: string;
  label: string;
  schema: Schema;
  /** The object must have it, and so must all objects around it. */
  isNeeded: boolean;
}

/**
 * All parts of a property; the property itself where it is no object, or is written in a form of its own. `within`: what
 * their labels begin with.
 */
export function partsOf(part: ObjectPart, within = part.label): ObjectPart[] {
  const { name, schema, isNeeded } = part;
  const { properties, required = [] } = schema;
  const { form = 'file' } = schema['x-option'] ?? {};
  if (properties === undefined || !['file', 'conditions'].includes(form)) return [part];
  const inner = Object.entries(properties);
  return inner.flatMap(([step, one]) =>
    partsOf({
      name: `${name}.${step}`,
      label: labelIn(within, step, inner.length === 1),
      schema: one,
      isNeeded: isNeeded && required.includes(step),
    }),
  );
}

/** What has one part only is called by its own name. */
function labelIn(outer: string, step: string, isOnly: boolean): string {
  if (outer === '') return labelOf(step);
  return isOnly ? outer : `${outer} ${insideSentence(labelOf(step))}`;
}

/** Sets the value at a path such as `['components', 'header', 'text']`. */
export function put(
  values: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) values[step] = value;
  else {
    const inner = { ...(own(values, step) as Record<string, unknown> | undefined) };
    put(inner, rest, value);
    values[step] = inner;
  }
}

/** At a name such as `settings.port`. */
export const valueNamed = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>((inner, step) => own(inner as Record<string, unknown> | undefined, step), values);
