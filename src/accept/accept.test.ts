/** The way of a request through load, admit, limit, plan and commit, and what is undone when it ends early. */
import { beforeEach, expect, test } from '@jest/globals';
import type { Accepted, Plan } from '../model/plan.ts';
import type { Command } from '../products/rules.ts';
import { type Accept, createAccept } from './accept.ts';
import { acceptanceWith, requestId } from './accept-testing.ts';
import type { Submission, Taken } from './intake.ts';
import { planOfSms } from './plan-testing.ts';

const accepted: Accepted = { requestId, units: {}, addresses: 1 };
const command: Command = {
  caller: { teamId: 'team', clientId: 'client', scopes: ['a'] },
  recipients: [1, 2, 3],
  idempotency: { key: 'k', fingerprint: '1:body' },
};

/** The steps, in order. */
let done: string[];
/** The step that rejects, and the stored response of the key. */
let refusing: string | undefined;
let replay: Taken | undefined;
let needed: string[];
let planned: Partial<Plan>;
let committed: Plan | undefined;
beforeEach(() => {
  done = [];
  refusing = undefined;
  replay = undefined;
  needed = [];
  planned = { messages: [] };
});

function step(name: string): void {
  done.push(name);
  if (refusing === name) throw new Error(`${name} refuses`);
}

const dependencies = acceptanceWith({}, step);
const accept: Accept<Command, Accepted> = createAccept<Command, string, string, Accepted>(
  {
    ...dependencies,
    intake: {
      begin: async <A extends Accepted>(submission: Submission) => ({
        ...(await dependencies.intake.begin<A>(submission)),
        replay: replay as Taken<A> | undefined,
      }),
    },
    codes: {
      counted: async (plan, _limits, commit) => {
        committed = plan;
        return commit(plan);
      },
    },
    clock: { now: () => 7 },
    findOptedOut: async (messages) => {
      step('ask for opt-outs');
      return new Set(messages.filter(({ phone }) => phone === '+1').map(({ id }) => id));
    },
  },
  {
    operation: 'sendSms',
    scopesOf: () => needed,
    admit: ({ facts, nowMs }) => {
      step('admit');
      return `${facts} at ${nowMs}`;
    },
    plan: (_asked, admitted) => {
      step(`plan for ${admitted}`);
      return { accepted, ...planned } as Plan;
    },
  },
  async () => {
    step('load');
    return 'facts';
  },
);

const begin = 'begin sendSms of client';
const limit = 'limit 3 in sendSms of team';
const plan = 'plan for facts at 7';

test('load, admit, limit, plan, commit: each is entered once', async () => {
  expect(await accept(command)).toEqual({ accepted, replayed: false });
  expect(done).toEqual([begin, 'load', 'admit', limit, plan, 'commit', 'end']);
});

test('a repeated key gets the same response, and nothing is loaded or counted', async () => {
  replay = { accepted, replayed: true };
  expect(await accept(command)).toBe(replay);
  expect(done).toEqual([begin, 'end']);
});

test.each<[string, string[]]>([
  ['load', [begin, 'load', 'end']],
  [plan, [begin, 'load', 'admit', limit, plan, 'give back', 'end']],
  ['commit', [begin, 'load', 'admit', limit, plan, 'commit', 'give back', 'end']],
])('rejected by %s: nothing more is done, and the count of the rate limit is undone', async (name, expected) => {
  refusing = name;
  await expect(accept(command)).rejects.toThrow(`${name} refuses`);
  expect(done).toEqual(expected);
});

test('without the scope even a repeated key is rejected', async () => {
  replay = { accepted, replayed: true };
  needed = ['a', 'b'];
  await expect(accept(command)).rejects.toMatchObject({
    status: 403,
    desc: 'Permission denied: the scope b is required.',
  });
  expect(done).toEqual([]);
});

const sendAt = '2026-12-01T09:00:00.000Z';
test.each([
  ['its time', { schedule: { sendAt } }],
  ['the end of quiet hours', {}],
])('the list is asked about what waits for %s: who opted out is queued at once, and ends there', async (_what, asked) => {
  planned = { ...asked, ...planOfSms({ messages: ['+1', '+2'].map((phone) => ({ phone, sendAt })) }) };
  await accept(command);
  expect(done).toContain('ask for opt-outs');
  expect(committed?.messages.map((one) => one.sendAt)).toEqual([undefined, sendAt]);
});
