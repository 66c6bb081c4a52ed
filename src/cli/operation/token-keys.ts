/** Commands for the keys that sign tokens: list, rotate, revoke. */

import { tokenKeyDelay } from '../../manage/access/token-key-delay.ts';
import type { TokenKeyView } from '../../manage/access/token-keys.ts';
import { command } from '../line/command.ts';

/** Loaded when one of them runs. */
const tokenKeys = () => import('../../manage/access/token-keys.ts');

export const tokenKeyCommands = [
  command({
    words: 'token-key list',
    about: 'list the keys that sign and verify tokens',
    async run(_values, context) {
      const { listTokenKeys } = await tokenKeys();
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
      const { rotateTokenKey } = await tokenKeys();
      return listed(await rotateTokenKey(await context.management(), { afterMinutes: after }));
    },
  }),
  command({
    words: 'token-key revoke',
    about: 'remove a leaked key; its tokens become invalid within 5 s, and a new key signs if needed',
    positionals: { key: 'id of the key (kid)' },
    async run({ key }, context) {
      const { revokeTokenKey } = await tokenKeys();
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
