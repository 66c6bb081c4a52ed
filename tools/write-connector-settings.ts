/**
 * Writes what each kind of connector checks of its settings and secrets, generated/connector-settings.ts, from management.yaml.
 * Usage: `node tools/write-connector-settings.ts [--check]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { managementOperations } from '../src/contract/management.ts';
import type { Schema } from '../src/contract/types.ts';

const place = new URL('../generated/connector-settings.ts', import.meta.url);
const create = managementOperations().find(({ id }) => id === 'createConnector');
const kinds = create?.inputs.find(({ name }) => name === 'settings')?.schema.anyOf ?? [];

const text = `// Written by npm run generate: the settings and secrets of each kind of connector in management.yaml, without words for people.

export const connectorSettings = {
${kinds
  .filter((kind) => kind['x-kind'] !== undefined)
  .map(written)
  .join('')}} as const;
`;
if (process.argv[2] !== '--check') writeFileSync(place, text);
else if (readFileSync(place, 'utf8') !== text) {
  process.stderr.write(
    'generated/connector-settings.ts is not what management.yaml says: npm run generate\n',
  );
  process.exitCode = 1;
}

function written({
  'x-kind': kind,
  'x-secrets': secrets = [],
  required = [],
  properties = {},
}: Schema): string {
  const names = secrets.map(({ name, required: needed }) => ({ name, required: needed }));
  const rules = Object.entries(properties).map(
    ([name, schema]) => `      ${name}: ${JSON.stringify(checked(schema))},\n`,
  );
  return `  '${kind}': {
    secrets: ${JSON.stringify(names)},
    required: ${JSON.stringify(required)},
    properties: {
${rules.join('')}    },
  },
`;
}

/** Without what judges no value. */
function checked(schema: Schema): object {
  const inner = (schemas: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, checked(one)]));
  const { properties, additionalProperties: others } = schema;
  return {
    ...Object.fromEntries(
      Object.entries(schema).filter(
        ([word, value]) => !/^(x-.*|description|examples)$/.test(word) && value !== 'int32',
      ),
    ),
    ...(properties === undefined ? {} : { properties: inner(properties) }),
    ...(typeof others === 'object' ? { additionalProperties: checked(others) } : {}),
  };
}
