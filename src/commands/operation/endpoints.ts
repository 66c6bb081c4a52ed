/** Commands for callback endpoints: list those that fail, and have one retried. */
import { listEndpoints, releaseEndpoint } from '../../manage/operation/endpoints.ts';
import { command } from '../line/command.ts';

export const endpointCommands = [
  command({
    words: 'endpoint list',
    about: 'list the callback endpoints that fail, and until when they are parked',
    optionalPositionals: { team: 'id of the team' },
    async run({ team }, context) {
      const { items } = await listEndpoints(await context.management(), team);
      return {
        list: items.map(({ teamId, origin, failures, parkedUntil }) => ({
          team: teamId,
          origin,
          failures,
          parkedUntil: parkedUntil?.toISOString() ?? null,
        })),
      };
    },
  }),
  command({
    words: 'endpoint release',
    about: 'post the receipts that wait for an endpoint now, because it works again',
    positionals: { team: 'id of the team', origin: 'such as https://shop.example, as listed' },
    matching: { origin: { rule: /^https?:\/\/[^/]+$/, words: 'an origin such as https://shop.example' } },
    async run({ team, origin }, context) {
      const receipts = await releaseEndpoint(await context.management(), { team, origin });
      return { one: { team, origin, receipts } };
    },
  }),
];
