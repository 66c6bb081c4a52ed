/** Commands that show what happened to requests and messages. */
import {
  listMessages,
  listRequestMessages,
  type MessageView,
  showRequest,
} from '../../manage/operation/messages.ts';
import { command } from '../line/command.ts';

const timeline = ({ teamId: team, requestId, phone, timeline: entries }: MessageView) =>
  entries.map(({ at, event, state, reason, receiptId }) => ({
    at,
    event,
    state: state ?? null,
    reason: reason ?? null,
    phone,
    request: requestId,
    team,
    receipt: receiptId ?? null,
  }));

export const messageCommands = [
  command({
    words: 'request show',
    about: 'show a request and the states of its messages',
    positionals: { request: 'the requestId of the response' },
    async run({ request }, context) {
      const {
        requestId,
        teamId: team,
        clientId: client,
        states,
        ...rest
      } = await showRequest(await context.management(), request);
      return {
        one: {
          request: requestId,
          team,
          client,
          ...rest,
          states: Object.entries(states).map(([state, messages]) => `${state}:${messages}`),
        },
      };
    },
  }),
  command({
    words: 'message show',
    about: 'show the timeline of the messages to a phone number, or of one request',
    positionals: { phone: 'phone number such as +254711000000, or a requestId' },
    matching: {
      phone: { rule: /^\+?[0-9a-f-]{7,36}$/i, words: 'a phone number with its country code, or a requestId' },
    },
    options: {
      team: { kind: 'text', about: 'only messages of this team' },
      limit: { kind: 'number', min: 1, max: 100, value: 'n', about: 'number of messages; default 10' },
    },
    async run({ phone, team, limit = 10 }, context) {
      const management = await context.management();
      const { items } = phone.includes('-')
        ? await listRequestMessages(management, phone)
        : await listMessages(management, { phone: `+${phone.replace('+', '')}`, team }, { limit });
      return { list: items.flatMap(timeline) };
    },
  }),
];
