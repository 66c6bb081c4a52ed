/** sendSms: the eleven messages of parameter validation, in the result shapes of both template modes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type SmsCaller, sharedSms, templateToEach, templateToMany } from '../../support/requests/sms.ts';

let sms: SmsCaller;

beforeAll(async () => {
  sms = await sharedSms();
});

interface Param {
  name: string;
  value: string;
}

/** The valid parameters of the demo's named template with some replaced, added or (undefined) left out. */
const named = (changes: Record<string, string | undefined>): Param[] => {
  const all = new Map([['name', 'Asha'], ['order', '4711'], ['code', 'K7P2'], ...Object.entries(changes)] as [
    string,
    string | undefined,
  ][]);
  return [...all].flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
};

const badName = 'Name must be a non-empty identifier using letters, digits, and underscores';
const formatFault = (name: string, rule: string) =>
  `Parameter '${name}': Value for parameter '${name}' must ${rule}`;

const rows: [string, Param[], string[]][] = [
  ['required placeholder not supplied', named({ order: undefined }), ["Missing required parameter 'order'"]],
  ['not defined on the template', named({ city: 'Nairobi' }), ["Unknown parameter 'city'"]],
  ['the same name twice', [...named({}), { name: 'order', value: '1' }], ["Duplicate parameter 'order'"]],
  [
    'longer than maxLength',
    named({ name: 'a'.repeat(41) }),
    [formatFault('name', 'not exceed 40 characters')],
  ],
  ['not alphanumeric', named({ code: 'K7-P2' }), [formatFault('code', 'be alphanumeric')]],
  ['not numeric', named({ order: '47a' }), [formatFault('order', 'be numeric')]],
  ['not a name', named({ name: 'R2D2' }), [formatFault('name', 'be a valid name')]],
  ['empty value', named({ order: '' }), ["Value for parameter 'order' must be non-empty"]],
  ['a brace', named({ note: 'a {b}' }), ["Value for parameter 'note' contains forbidden characters"]],
  [
    'a control character',
    named({ note: 'a\u0007' }),
    ["Value for parameter 'note' contains forbidden characters"],
  ],
  ['an empty name', [...named({}), { name: '', value: 'x' }], [badName]],
  ['a name that is no identifier', [...named({}), { name: 'a-b', value: 'x' }], [badName]],
  [
    'too long after substitution',
    named({ note: 'n'.repeat(960) }),
    ['Resolved content cannot be longer than 960 characters'],
  ],
  [
    'several faults: in the order of the request, then the missing ones in the order of the template',
    [
      { name: 'city', value: 'x' },
      { name: 'order', value: 'abc' },
      { name: 'order', value: '1' },
      { name: 'bad name', value: '' },
      { name: 'note', value: '' },
    ],
    [
      "Unknown parameter 'city'",
      formatFault('order', 'be numeric'),
      "Duplicate parameter 'order'",
      badName,
      "Value for parameter 'note' must be non-empty",
      "Missing required parameter 'name'",
      "Missing required parameter 'code'",
    ],
  ],
  [
    'a duplicate is reported once per name',
    [...named({}), { name: 'order', value: '1' }, { name: 'order', value: '2' }],
    ["Duplicate parameter 'order'"],
  ],
  [
    'too long and of the wrong format',
    named({ order: 'x'.repeat(11) }),
    [formatFault('order', 'not exceed 10 characters'), formatFault('order', 'be numeric')],
  ],
];

const desc = 'Template parameter validation failed';

describe('400 Template parameter validation failed', () => {
  test.each(rows)('TemplateSendToMany, under errors: %s', async (_rule, params, errors) => {
    const answer = await sms.send(
      templateToMany(sms.demo.templates.named, ['0711000000', '0733000000'], params),
    );
    expect([answer.status, answer.body]).toEqual([400, { desc, result: { errors } }]);
  });

  test.each(rows)('TemplateSendToEach, under the phone as written: %s', async (_rule, params, faults) => {
    const answer = await sms.send(
      templateToEach(sms.demo.templates.named, [
        { phone: '+254 711 000-000', params },
        { phone: '0733000000', params: sms.demo.templateParams.named },
      ]),
    );
    expect([answer.status, answer.body]).toEqual([400, { desc, result: { '+254 711 000-000': faults } }]);
  });

  test('every recipient with faults is reported, and no other', async () => {
    const answer = await sms.send(
      templateToEach(sms.demo.templates.positional, [
        { phone: '0711000001', params: [] },
        { phone: '0711000002', params: sms.demo.templateParams.positional },
        { phone: '0711000003', params: [{ name: '1', value: 'abc' }] },
      ]),
    );
    expect(answer.body).toEqual({
      desc,
      result: {
        '0711000001': ["Missing required parameter '1'", "Missing required parameter '2'"],
        '0711000003': ["Missing required parameter '2'"],
      },
    });
  });

  test('a value is never scanned for placeholders: braces are rejected, dollar signs are text', async () => {
    const answer = await sms.send(
      templateToMany(sms.demo.templates.named, ['0711000000'], named({ note: '$& $1 $$' })),
    );
    expect(answer.status).toBe(200);
  });
});
