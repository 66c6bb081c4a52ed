/** Commands for the keys that sign tokens: list, rotate, revoke. */
import {
  listTokenKeys,
  revokeTokenKey,
  rotateTokenKey,
  type TokenKeyView,
  tokenKeyDelay,
} from '../../manage/access/token-keys.ts';
import { command } from '../line/command.ts';

export const tokenKeyCommands = [
  command({
    words: 'token-key list',
    about: 'list the keys that sign and verify tokens',
    async run(_values, context) {
      return listed(await listTokenKeys(await context.management()));
    },
  }),
  command({
    words: 'token-key rotate',
    about:
      'publish a new key that starts to sign later; tokens of the former key stay valid until they expire',
    options: {
      after: {
        kind: 'number',
        min: tokenKeyDelay.min,
        max: tokenKeyDelay.max,
        value: 'minutes',
        about: `minutes between publishing the key and signing with it; default ${tokenKeyDelay.default}`,
      },
    },
    async run({ after }, context) {
      return listed(await rotateTokenKey(await context.management(), { afterMinutes: after }));
    },
  }),
  command({
    words: 'token-key revoke',
    about: 'remove a leaked key; its tokens become invalid within 5 s, and a new key signs if needed',
    positionals: { key: 'id of the key (kid)' },
    async run({ key }, context) {
      return listed(await revokeTokenKey(await context.management(), key));
    },
  }),
];

function listed(keys: readonly TokenKeyView[]) {
  return {
    list: keys.map(({ kid, state, signsFrom, createdAt }) => ({
      key: kid,
      state,
      signsFrom: signsFrom.toISOString(),
      created: createdAt.toISOString(),
    })),
  };
}
