/** One effect per Idempotency-Key: replays, keys in use, keys of other requests, keys taken meanwhile. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Plan } from '../model/plan.ts';
import { beginWait, withPatience } from '../platform/concurrency/patience.ts';
import { createIntake, type Intake, type Submission, type Taken } from './intake.ts';
import { planOfSms } from './plan-testing.ts';
import type { StoredKey } from './repository.ts';

type Outcome = Awaited<ReturnType<Parameters<typeof createIntake>[1]>>;

/** The stored rows, as other processes see and change them too. */
let stored: Map<string, StoredKey>;
let committed: Plan[];
let outcome: Outcome;
let intake: Intake;
let overloaded: boolean;

beforeEach(() => {
  stored = new Map();
  committed = [];
  outcome = 'accepted';
  overloaded = false;
  intake = createIntake(
    {
      find: async (...key) => stored.get(key.join(' ')),
      purge: async () => 0,
    },
    async (plan) => {
      committed.push(plan);
      if (outcome === 'accepted' && plan.idempotency !== undefined) store(plan);
      return outcome;
    },
    () => overloaded,
  );
});

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';

const submission = (more: Partial<Submission> = {}): Submission => ({
  clientId: 'demo',
  operation: 'sendSms',
  idempotency: { key: 'k', fingerprint: '1:body' },
  ...more,
});

const planOf = ({ clientId, operation, idempotency }: Submission, requestId: string): Plan => ({
  ...planOfSms({ messages: [1, 2].map((units) => ({ units, accountId: '7' })) }),
  ...{ clientId, operation, idempotency, accepted: { requestId, units: {}, addresses: {} } },
});

function store({ clientId, operation, idempotency, accepted }: Plan): void {
  const { key = '', fingerprint = '' } = idempotency ?? {};
  stored.set([clientId, operation, key].join(' '), { fingerprint, accepted });
}

const take = (asked: Submission, requestId: string) => takeBy(intake, asked, async () => requestId);

/** What the acceptance of a request does with its turn; `work` stands for the rules. */
async function takeBy(by: Intake, asked: Submission, work: () => Promise<string>): Promise<Taken> {
  const turn = await by.begin(asked);
  try {
    return turn.replay ?? (await turn.commit(planOf(asked, await work())));
  } finally {
    turn.end();
  }
}

const answer = (requestId: string, replayed: boolean) => ({ accepted: { requestId }, replayed });
const inUse = { status: 409, desc: 'A request with this Idempotency-Key is still running.' };
const reused = { status: 409, desc: 'This Idempotency-Key was used with another request.' };

test('without a key every request is accepted on its own', async () => {
  const plain = submission({ idempotency: undefined });
  expect(await take(plain, first)).toMatchObject(answer(first, false));
  expect(await take(plain, second)).toMatchObject(answer(second, false));
});

describe('the same key again', () => {
  beforeEach(() => take(submission(), first));

  test('with the same body gets the first response, and does nothing', async () => {
    expect(await take(submission(), second)).toMatchObject(answer(first, true));
    expect(committed).toHaveLength(1);
  });

  test('with another body is rejected', async () => {
    const other = submission({ idempotency: { key: 'k', fingerprint: '1:other body' } });
    await expect(take(other, second)).rejects.toMatchObject(reused);
    expect(committed).toHaveLength(1);
  });

  test('with a fingerprint of another version counts as the same', async () => {
    const upgraded = submission({ idempotency: { key: 'k', fingerprint: '2:body, seen otherwise' } });
    expect(await take(upgraded, second)).toMatchObject(answer(first, true));
    expect(committed).toHaveLength(1);
  });

  test.each<[string, Partial<Submission>]>([
    ['of another client', { clientId: 'other' }],
    ['for another operation', { operation: 'disburseMobileData' }],
    ['in another case', { idempotency: { key: 'K', fingerprint: '1:body' } }],
  ])('%s is another key', async (_rule, more) => {
    expect(await take(submission(more), second)).toMatchObject(answer(second, false));
  });
});

test('while the first is running: 409; afterwards its response', async () => {
  let finish = () => {};
  const held = takeBy(intake, submission(), async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return first;
  });
  await expect(take(submission(), second)).rejects.toMatchObject(inUse);
  finish();
  expect(await held).toMatchObject(answer(first, false));
  expect(await take(submission(), second)).toMatchObject(answer(first, true));
});

test('a key is looked up once its turn has come, so that what ends meanwhile is found', async () => {
  const found: string[] = [];
  const find = async () => {
    found.push('looked up');
    return undefined;
  };
  const ordered = createIntake(
    { find, purge: async () => 0 },
    async () => outcome,
    () => false,
  );
  const turn = await ordered.begin(submission());
  await expect(ordered.begin(submission())).rejects.toMatchObject(inUse);
  expect(found).toHaveLength(1);
  turn.end();
});

test('another process was faster: with the same body we return its response; with another, or if it still runs: 409', async () => {
  const meanwhile = (fingerprint?: string) =>
    takeBy(intake, submission(), async () => {
      outcome = 'keyTaken';
      if (fingerprint !== undefined)
        store(planOf(submission({ idempotency: { key: 'k', fingerprint } }), first));
      return second;
    });

  await expect(meanwhile()).rejects.toMatchObject(inUse);
  expect(await meanwhile('1:body')).toMatchObject(answer(first, true));
  stored.clear();
  await expect(meanwhile('1:other body')).rejects.toMatchObject(reused);
});

describe('a rejected request', () => {
  test('for insufficient units says how many one account needs, and leaves the key free', async () => {
    outcome = { short: '7' };
    await expect(take(submission(), first)).rejects.toMatchObject({
      status: 400,
      desc: 'Insufficient units for 3 unit(s) requested.',
    });
    outcome = 'accepted';
    expect(await take(submission(), second)).toMatchObject(answer(second, false));
  });

  test('by overload does no work and leaves the key free', async () => {
    overloaded = true;
    await expect(intake.begin(submission())).rejects.toMatchObject({
      status: 429,
      desc: 'The service is overloaded. Try again later.',
      headers: { 'Retry-After': '2' },
    });
    overloaded = false;
    expect(await take(submission(), second)).toMatchObject(answer(second, false));
  });

  test('by a rule leaves the key free, for another body too', async () => {
    const refuse = () => Promise.reject(new Error('a rule'));
    await expect(takeBy(intake, submission(), refuse)).rejects.toThrow('a rule');
    const mended = submission({ idempotency: { key: 'k', fingerprint: '1:mended' } });
    expect(await take(mended, second)).toMatchObject(answer(second, false));
  });

  test('by patience leaves the key free, while its statement is still without a response', async () => {
    let respond = (_requestId: string) => {};
    const unheard = new Promise<string>((resolve) => {
      respond = resolve;
    });
    const request = withPatience(1, () =>
      takeBy(intake, submission(), () => {
        beginWait();
        return unheard;
      }),
    );
    await expect(request).rejects.toThrow('the database does not respond');
    const again = await intake.begin(submission());
    // The end of the first turn is not that of the second.
    respond(first);
    await unheard;
    await expect(intake.begin(submission())).rejects.toMatchObject(inUse);
    again.end();
  });

  const away = () => Promise.reject(new Error('away'));
  test.each([
    ['looking for the key', away, async () => 'accepted' as const],
    ['committing', async () => undefined, away],
  ])('by a database that failed while %s leaves the key free', async (_when, find, submit) => {
    const broken = createIntake({ find, purge: async () => 0 }, submit, () => false);
    const attempt = () => takeBy(broken, submission(), async () => first);
    await expect(attempt()).rejects.toThrow('away');
    await expect(attempt()).rejects.toThrow('away');
  });
});
