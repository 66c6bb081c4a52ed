/** Commands for the keys that sign tokens: list, rotate, revoke. */
import { keysAt, makeKey, type StoredKey } from '../clients/keys.ts';
import { createClientRepository } from '../clients/repository.ts';
import { systemClock } from '../clock.ts';
import type { Answer, Cell } from './answer.ts';
import { CommandError, type Context, command } from './command.ts';

const defaultMinutes = 15;

export const tokenKeyCommands = [
  command({
    words: 'token-key list',
    about: 'list the keys that sign and verify tokens',
    run: (_values, context) => listed(context),
  }),
  command({
    words: 'token-key rotate',
    about:
      'publish a new key that starts to sign later; tokens of the former key stay valid until they expire',
    options: {
      after: {
        kind: 'number',
        min: 1,
        max: 24 * 60,
        value: 'minutes',
        about: `minutes between publishing the key and signing with it; default ${defaultMinutes}`,
      },
    },
    async run({ after = defaultMinutes }, context) {
      const nowMs = systemClock.now();
      const fresh = await makeKey(await context.secrets(), new Date(nowMs + after * 60_000), new Date(nowMs));
      const { changeKeys } = await repository(context);
      await changeKeys((keys) => {
        const waiting = keys.find(({ signsFrom }) => signsFrom.getTime() > nowMs);
        if (waiting !== undefined)
          throw new CommandError(
            `key ${waiting.kid} is already published and starts to sign at ${waiting.signsFrom.toISOString()}`,
          );
        const { live } = keysAt(keys, nowMs);
        return { removed: keys.filter((key) => !live.includes(key)).map(({ kid }) => kid), added: [fresh] };
      });
      return listed(context);
    },
  }),
  command({
    words: 'token-key revoke',
    about: 'remove a leaked key; its tokens become invalid within 5 s, and a new key signs if needed',
    positionals: { key: 'id of the key (kid)' },
    async run({ key: kid }, context) {
      const nowMs = systemClock.now();
      const fresh = await makeKey(await context.secrets(), new Date(nowMs));
      const { changeKeys } = await repository(context);
      await changeKeys((keys) => {
        const { signing } = keysAt(keys, nowMs);
        if (!keys.some((key) => key.kid === kid)) throw new CommandError(`token key ${kid} does not exist`);
        return { removed: [kid], added: signing?.kid === kid ? [fresh] : [] };
      });
      return listed(context);
    },
  }),
];

async function repository(context: Context) {
  return createClientRepository((await context.database()).knex);
}

/** Without those that are kept until the next rotation only. */
async function listed(context: Context): Promise<Answer> {
  const { load } = await repository(context);
  const { signing, live } = keysAt(await load(), systemClock.now());
  return { list: live.map((key) => summaryOf(key, signing)) };
}

function summaryOf(key: StoredKey, signing: StoredKey | undefined): Record<string, Cell> {
  const waits = signing !== undefined && key.signsFrom > signing.signsFrom;
  return {
    key: key.kid,
    state: key === signing ? 'signs' : waits ? 'published' : 'verifies',
    signsFrom: key.signsFrom.toISOString(),
    created: key.createdAt.toISOString(),
  };
}
