/** The lists of states in the schema of the database are those of the model. */
import { expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { allStates, badStates, type MessageState, statesThat } from './states.ts';

const database = testDatabase();

/** As PostgreSQL writes a list: `'Held'::text`, or `'{Held,Queued}'::text[]`. */
function statesIn(definition: string): string[] {
  const [, array] = /'\{([^}]*)\}'::text\[\]/.exec(definition) ?? [];
  const listed =
    array?.split(',') ?? [...definition.matchAll(/'(\w+)'::text/g)].map(([, state = '']) => state);
  return listed.map((state) => state.trim()).sort();
}

test('a message may be in the states of the model', async () => {
  const { rows } = await database.knex.raw<{ rows: { definition: string }[] }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'messages'::regclass and conname = 'messages_state_check'`,
  );
  expect(statesIn(rows[0]?.definition ?? '')).toEqual([...allStates].sort());
});

testEvery<[string, readonly MessageState[]]>([
  ['not_delivered', badStates],
  ['with_us', statesThat('withUs')],
  ['late_report', statesThat('awaitsReport')],
])('the column %s has the states of the model', async (column, states) => {
  const { rows } = await database.knex.raw<{ rows: { expression: string }[] }>(
    `select pg_get_expr(adbin, adrelid) as expression from pg_attrdef
     join pg_attribute on attrelid = adrelid and attnum = adnum
     where adrelid = 'messages'::regclass and attname = ?`,
    [column],
  );
  expect(statesIn(rows[0]?.expression ?? '')).toEqual([...states].sort());
});

test('no index of messages names their state, so that most states are written in the page of the row', async () => {
  const { rows } = await database.knex.raw<{ rows: { definition: string }[] }>(
    `select indexdef as definition from pg_indexes where tablename = 'messages'`,
  );
  expect(rows.filter(({ definition }) => /\bstate\b/.test(definition))).toEqual([]);
});
