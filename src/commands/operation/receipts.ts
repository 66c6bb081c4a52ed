/** Commands for receipts: list them with their attempts, and have them posted again. */
import { listReceipts, replayReceipts, resendReceipt } from '../../manage/operation/receipts.ts';
import { command, UsageError } from '../line/command.ts';
import { instantOf } from '../line/instant.ts';

type State = 'Waiting' | 'Delivered' | 'Exhausted';
const states: readonly State[] = ['Waiting', 'Delivered', 'Exhausted'];
const team = { team: 'id of the team' };

export const receiptCommands = [
  command({
    words: 'receipt list',
    about: 'list the newest receipts of a team with their last attempt',
    positionals: team,
    options: {
      request: { kind: 'text', about: 'only receipts of this request', value: 'requestId' },
      state: { kind: 'text', about: 'only receipts in this state', choices: states },
      limit: { kind: 'number', min: 1, max: 100, value: 'n', about: 'number of receipts; default 100' },
    },
    async run({ team, request, state, limit }, context) {
      const filter = { team, requestId: request, state: state as State | undefined };
      const { items } = await listReceipts(await context.management(), filter, { limit });
      return {
        list: items.map(
          ({ receiptId, requestId, state, callbackUrl, createdAt, nextAttemptAt, attempts }) => {
            const last = attempts.at(-1);
            return {
              receipt: receiptId,
              state,
              created: createdAt,
              attempts: attempts.length,
              lastAttempt: last === undefined ? null : outcomeOf(last),
              nextAttempt: nextAttemptAt ?? null,
              request: requestId,
              url: callbackUrl,
            };
          },
        ),
      };
    },
  }),
  command({
    words: 'receipt resend',
    about: 'post a receipt again, with the same webhook-id',
    positionals: { receipt: 'its id (the webhook-id)' },
    async run({ receipt }, context) {
      const { state } = await resendReceipt(await context.management(), receipt);
      return { one: { receipt, state } };
    },
  }),
  command({
    words: 'receipt replay',
    about: 'post the exhausted receipts of a team again, with the same webhook-ids',
    positionals: team,
    options: {
      since: {
        kind: 'text',
        about: 'receipts created since then, such as 2027-01-31T00:00:00Z',
        value: 'instant',
        required: true,
      },
      all: { kind: 'flag', about: 'post delivered receipts again as well' },
    },
    async run({ team, since: written, all }, context) {
      const since = instantOf('since', written);
      if (since === undefined) throw new UsageError(['--since is missing']);
      const which = all ? 'all' : 'exhausted';
      return {
        one: { team, receipts: await replayReceipts(await context.management(), { team, since, which }) },
      };
    },
  }),
];

/** The status of the response, or why there was none. */
function outcomeOf(attempt: { status?: number | null; error?: string | null }): string {
  return String(attempt.status ?? attempt.error ?? '');
}
