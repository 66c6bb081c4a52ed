/** Commands for cells: give a new one the keys of another, and move teams between them. */
import { copyKeys } from '../../manage/cells/keys.ts';
import { copyTeam, moveTeam } from '../../manage/cells/move-team.ts';
import { command } from '../line/command.ts';

const otherDatabase = { kind: 'secret', required: true, value: 'database' } as const;

export const cellCommands = [
  command({
    words: 'cell keys',
    about: 'copy the keys of another cell to this one; repeat it when the token key is rotated there',
    options: { from: { ...otherDatabase, about: 'PostgreSQL URL of the other cell' } },
    async run({ from }, context) {
      const { secretKeys, tokenKeys } = await copyKeys(await context.management(), await context.cell(from));
      return { one: { secretKeys: secretKeys.join(' '), tokenKeys: tokenKeys.join(' ') } };
    },
  }),
  command({
    words: 'cell copy',
    about: 'copy what a team needs in another cell to that cell, while the team sends; may be repeated',
    positionals: { team: 'id of the team' },
    options: { to: { ...otherDatabase, about: 'PostgreSQL URL of the other cell' } },
    async run({ team, to }, context) {
      return { one: { ...(await copyTeam(await context.management(), await context.cell(to), team)) } };
    },
  }),
  command({
    words: 'cell move',
    about:
      'move a team to another cell while the proxy holds its requests; again: settle what was still open',
    positionals: { team: 'id of the team' },
    options: { to: { ...otherDatabase, about: 'PostgreSQL URL of the other cell' } },
    async run({ team, to }, context) {
      const { open, ...moved } = await moveTeam(await context.management(), await context.cell(to), team);
      return { one: { ...moved, openMessages: open.messages, openReceipts: open.receipts } };
    },
  }),
];
