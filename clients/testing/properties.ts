/** Names every property of a schema and of a body by its place, so that the two can be compared. */

interface Schema {
  $ref?: string;
  const?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

/** As `(SendToEach).messages[].phone`: an object with a constant `type` stands under its value. */
export function propertiesOfSchema(schema: Schema, resolve: (ref: string) => Schema, place = ''): string[] {
  if (schema.$ref !== undefined) return propertiesOfSchema(resolve(schema.$ref), resolve, place);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.flatMap((one) => propertiesOfSchema(one, resolve, place));
  if (schema.items !== undefined) return propertiesOfSchema(schema.items, resolve, `${place}[]`);
  const { properties = {} } = schema;
  const here = under(place, properties.type?.const);
  return Object.entries(properties).flatMap(([name, one]) => [
    `${here}.${name}`,
    ...propertiesOfSchema(one, resolve, `${here}.${name}`),
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
