/** News of a network move the templates of teams that send through it, and of nobody else. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../../../platform/db/opened-testing.ts';
import { listQuarantined } from '../../../platform/isolation/quarantine-repository.ts';
import {
  type ApprovalNews,
  type ChangedCategory,
  recordTemplateNews,
  setApproval,
  type TemplateNews,
} from './approval-repository.ts';

let quarantined: string[] = [];
const events = { itemQuarantined: (round: string) => quarantined.push(round) };
const changed: ChangedCategory[] = [];
const noteCategory = async (_trx: unknown, one: ChangedCategory) => void changed.push(one);
const record = (connector: string, news: readonly TemplateNews[]) =>
  recordTemplateNews({ knex: database.knex, events, noteCategory }, connector, news);

const database = testDatabase();
beforeAll(async () => {
  const { knex } = database;
  for (const team of ['ours', 'other']) {
    await knex('teams').insert({ id: team, name: team });
    await knex('chatapp_services').insert({ id: `${team}-chat`, team_id: team, name: team });
    const number = { id: `${team}-number`, service_id: `${team}-chat`, phone: '+254700000000' };
    await knex('chatapp_numbers').insert({ ...number, connector: `${team}-meta` });
    const names = [
      ['greeting', 'en'],
      ['greeting', 'sw'],
      ['farewell', 'en'],
    ] as const;
    await knex('chatapp_templates').insert(
      names.map(([name, language]) => ({
        id: `${team}-${name}-${language}`,
        ...{ team_id: team, name, language, category: 'UTILITY', parameter_format: 'NAMED' },
        components: JSON.stringify({ body: { text: 'Habari' }, buttons: [] }),
        approval_status: 'PENDING',
      })),
    );
  }
});

test('by name and language, only for teams of the connector; later news counts', async () => {
  const greeting = { name: 'greeting', language: 'en' };
  await record('ours-meta', [
    { ...greeting, approvalStatus: 'REJECTED', comment: 'ABUSIVE_CONTENT' },
    { name: 'unknown', language: 'en', approvalStatus: 'APPROVED' },
  ]);
  const moved = () => database.knex('chatapp_templates').whereNot({ approval_status: 'PENDING' });
  expect(await moved()).toMatchObject([
    { id: 'ours-greeting-en', approval_status: 'REJECTED', review_comment: 'ABUSIVE_CONTENT' },
  ]);
  await record('ours-meta', [{ ...greeting, approvalStatus: 'APPROVED' }]);
  expect(await moved()).toMatchObject([
    { id: 'ours-greeting-en', approval_status: 'APPROVED', review_comment: null },
  ]);
});

describe('in the order of the network’s clock', () => {
  const id = 'ours-farewell-en';
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const tell = (
    approvalStatus: ApprovalNews['approvalStatus'],
    occurredAt?: Date,
    connector = 'ours-meta',
  ) => {
    const when = occurredAt === undefined ? {} : { occurredAt };
    return record(connector, [{ name: 'farewell', language: 'en', approvalStatus, ...when }]);
  };
  const approval = async () =>
    (await database.knex('chatapp_templates').where({ id }).first('approval_status')).approval_status;
  beforeEach(async () => {
    await database
      .knex('chatapp_templates')
      .where({ id })
      .update({ approval_status: 'PENDING', approval_decided_at: null });
  });

  test('older and repeated news changes nothing', async () => {
    await tell('APPROVED', at(1));
    await tell('PAUSED', at(2));
    for (const _ of [1, 2]) {
      await tell('APPROVED', at(1));
      await tell('REJECTED', at(0));
    }
    expect(await approval()).toBe('PAUSED');
    await tell('APPROVED', at(3));
    expect(await approval()).toBe('APPROVED');
  });

  test('the newest time counts even if its news changed nothing', async () => {
    await tell('PAUSED', at(1));
    await tell('PAUSED', at(3));
    await tell('APPROVED', at(2));
    expect(await approval()).toBe('PAUSED');
  });

  test('of two in one second the one that does not approve counts, whichever came first', async () => {
    await tell('APPROVED', at(1));
    await tell('PAUSED', at(1));
    await tell('APPROVED', at(1));
    expect(await approval()).toBe('PAUSED');
  });

  test('news without a time, or from the future, counts as of now', async () => {
    await tell('PAUSED', new Date('2099-01-01'));
    await tell('APPROVED');
    expect(await approval()).toBe('APPROVED');
    await tell('PAUSED', at(1));
    expect(await approval()).toBe('APPROVED');
  });

  test("an operator's decision counts like any other", async () => {
    await setApproval(database.knex, id, 'DISABLED', undefined);
    await tell('APPROVED', at(1));
    expect(await approval()).toBe('DISABLED');
    await tell('APPROVED');
    expect(await approval()).toBe('APPROVED');
  });

  test('news from another connector does not apply', async () => {
    await tell('APPROVED', at(1), 'other-meta');
    expect(await approval()).toBe('PENDING');
    await tell('PAUSED', at(0));
    expect(await approval()).toBe('PAUSED');
  });
});

test('news that cannot be recorded goes to quarantine once, and the rest of its call counts', async () => {
  quarantined = [];
  const good = (name: string, language: string) => ({ name, language, approvalStatus: 'PAUSED' }) as const;
  const news: ApprovalNews[] = [
    good('greeting', 'sw'),
    { ...good('greeting', 'en'), name: 'greeting\0' },
    { ...good('greeting', 'en'), comment: 'half a pair \ud83d', approvalStatus: 'unheard of' as never },
    good('farewell', 'en'),
  ];
  for (let times = 0; times < 2; times += 1) await record('other-meta', news);
  const paused = database.knex('chatapp_templates').where({ approval_status: 'PAUSED', team_id: 'other' });
  expect(await paused.orderBy('id').pluck('id')).toEqual(['other-farewell-en', 'other-greeting-sw']);
  expect(quarantined).toEqual(Array(4).fill('template-news'));
  expect(await listQuarantined(database.knex)).toMatchObject(
    [1, 2].map(() => ({ round: 'template-news', attempts: 2 })),
  );
});

test('a category changes at once, for teams of the connector, and is noted; older news changes nothing', async () => {
  const template = { name: 'greeting', language: 'en' };
  const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second));
  const is = async () => database.knex('chatapp_templates').where(template).orderBy('id').pluck('category');
  for (const [category, second, now] of [
    ['MARKETING', 5, 'MARKETING'],
    ['UTILITY', 4, 'MARKETING'],
    ['UTILITY', 5, 'MARKETING'],
    ['MARKETING', 6, 'MARKETING'],
    ['UTILITY', 7, 'UTILITY'],
    ['MARKETING', 7, 'MARKETING'],
  ] as const) {
    await record('ours-meta', [{ ...template, category, occurredAt: at(second) }]);
    expect(await is()).toEqual(['UTILITY', now]);
  }
  const noted = { templateId: 'ours-greeting-en', teamId: 'ours', connector: 'ours-meta' };
  expect(changed).toMatchObject([
    { ...noted, before: 'UTILITY', after: 'MARKETING' },
    { before: 'MARKETING', after: 'UTILITY' },
    { before: 'UTILITY', after: 'MARKETING' },
  ]);
});
