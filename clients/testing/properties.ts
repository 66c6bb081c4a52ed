/** Names every property of a schema and of a body by its place, so that the two can be compared. */
import type { Schema } from '../../src/contract/types.ts';

/** As `(SendToEach).messages[].phone`: an object with a constant `type` stands under its value. The schema has no references. */
export function propertiesOfSchema(schema: Schema, place = ''): string[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.flatMap((one) => propertiesOfSchema(one, place));
  if (schema.items !== undefined) return propertiesOfSchema(schema.items, `${place}[]`);
  const { properties = {} } = schema;
  const here = under(place, properties.type?.const);
  return Object.entries(properties).flatMap(([name, one]) => [
    `${here}.${name}`,
    ...propertiesOfSchema(one, `${here}.${name}`),
  ]);
}

export function propertiesOfBody(body: unknown, place = ''): string[] {
  if (Array.isArray(body)) return body.flatMap((one) => propertiesOfBody(one, `${place}[]`));
  if (typeof body !== 'object' || body === null) return [];
  const here = under(place, (body as { type?: string }).type);
  return Object.entries(body).flatMap(([name, value]) => [
    `${here}.${name}`,
    ...propertiesOfBody(value, `${here}.${name}`),
  ]);
}

function under(place: string, type: string | undefined): string {
  return type === undefined ? place : `${place}(${type})`;
}
