/** Paths and queries made from the parameters of an operation: values that fit, and values that break what is behind it. */
import fc from 'fast-check';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: { enum?: readonly string[] };
  example?: unknown;
}

/** What databases, clocks, parsers and files take badly. */
const hostile = [
  '\0',
  'a\0b',
  '%',
  "' or 1=1 --",
  '😀'.repeat(60),
  'x'.repeat(3_000),
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-11-21T00:00:00.123456789Z',
  '2026-11-21 00:00:00Z',
  '-1',
  '1e308',
  '99999999999999999999',
  'NaN',
  'null',
  'infinity',
  '__proto__',
  '00000000-0000-0000-0000-000000000000',
];

const fitting = ({ schema, example }: Parameter): string[] =>
  schema?.enum === undefined ? [String(example ?? 1)] : [...schema.enum];

const valueFor = (parameter: Parameter) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...fitting(parameter)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 70 }) },
  );

/** A path with its query, percent-encoded; mostly with known ids, so that more than the path is looked at. */
export function targetsOf({
  path,
  parameters = [],
}: {
  path: string;
  parameters?: readonly Parameter[];
}): fc.Arbitrary<string> {
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const ids = fc.record(
    Object.fromEntries(
      placed('path').map((parameter) => [
        parameter.name,
        fc.oneof(
          { weight: 8, arbitrary: valueFor(parameter) },
          { weight: 1, arbitrary: fc.constantFrom(...hostile) },
        ),
      ]),
    ),
  );
  const query = fc.record(
    Object.fromEntries(placed('query').map((parameter) => [parameter.name, valueFor(parameter)])),
    { requiredKeys: placed('query').flatMap(({ name, required }) => (required ? [name] : [])) },
  );
  const spoilt = fc.option(fc.tuple(fc.nat(), fc.constantFrom(...hostile)), { freq: 5, nil: undefined });
  return fc.tuple(ids, query, spoilt).map(([id, asked, spoil]) => {
    // One fault at a time: the first ends a request.
    const names = Object.keys(asked);
    const name = spoil === undefined ? undefined : names[spoil[0] % names.length];
    if (spoil !== undefined && name !== undefined) asked[name] = spoil[1];
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encoded(id[name] ?? ''));
    const pairs = Object.entries(asked).map(([name, value]) => `${name}=${encoded(value ?? '')}`);
    return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
  });
}

/** URL parsers remove `.` and `..`. */
function encoded(value: string): string {
  const text = encodeURIComponent(value.toWellFormed());
  return /^\.{1,2}$/.test(text) ? `${text}x` : text;
}

/** Each hostile value in each parameter of the query, alone: what comes with it cannot be refused before it. */
export function spoiltTargets({
  path,
  parameters = [],
}: {
  path: string;
  parameters?: readonly Parameter[];
}): string[] {
  const first = (parameter: Parameter) => encoded(fitting(parameter)[0] ?? '');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    first(parameters.find((one) => one.in === 'path' && one.name === name) ?? { name, in: 'path' }),
  );
  return query.flatMap((spoilt) =>
    hostile.map((value) => {
      const others = query.filter((one) => one !== spoilt && one.required);
      const pairs = others.map((one) => `${one.name}=${first(one)}`);
      return `${filled}?${[...pairs, `${spoilt.name}=${encoded(value)}`].join('&')}`;
    }),
  );
}
