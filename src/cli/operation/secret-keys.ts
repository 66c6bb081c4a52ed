/** Commands for SECRET_KEY: list the keys that it has been, and rotate to a new one. */
import type { SecretKeyView } from '../../manage/access/secret-keys.ts';
import { command } from '../line/command.ts';
import { CommandError } from '../line/errors.ts';

/** Loaded when one of them runs. */
const secretKeys = () => import('../../manage/access/secret-keys.ts');

export const secretKeyCommands = [
  command({
    words: 'secret-key list',
    about: 'list the keys that SECRET_KEY has been: which makes new values, and which may still be needed',
    async run(_values, context) {
      const { listSecretKeys } = await secretKeys();
      return { list: listed(await listSecretKeys(await context.management())) };
    },
  }),
  command({
    words: 'secret-key rotate',
    about:
      'use the new SECRET_KEY, and make everything again that needs SECRET_KEY_PREVIOUS; may be repeated',
    async run(_values, context) {
      const { rotateSecretKey, settleMs } = await secretKeys();
      const management = await context.management();
      // The embedded database serves this process only.
      const waitMs = context.config.databaseUrl === undefined ? 0 : settleMs;
      const { keys, unreadable, wrongSeals } = await rotateSecretKey(management, waitMs, (sentence) =>
        process.stderr.write(`${sentence}\n`),
      );
      if (unreadable.length > 0)
        throw new CommandError(
          ['some values were left, because SECRET_KEY_PREVIOUS does not open them:', ...unreadable].join(
            '\n',
          ),
        );
      if (wrongSeals > 0)
        process.stderr.write(`${wrongSeals} ledger seal(s) were changed by hand: the doctor names them\n`);
      process.stderr.write('SECRET_KEY_PREVIOUS can be removed now: nothing needs it\n');
      return { list: listed(keys) };
    },
  }),
];

const listed = (keys: readonly SecretKeyView[]) =>
  keys.map(({ id, state, since }) => ({ key: id, state, since: since?.toISOString() ?? null }));
