/** A simulated network: does with each message what the script of its number says. */
import type { Knex } from 'knex';
import type { Connector, HandOver, OutboundMessage, QueryResult } from '../contract/connector.ts';
import type { Trouble } from '../contract/kind.ts';
import { repliesTo, type ScriptedReply, type ScriptedReport, type ScriptOf } from './script.ts';
import { enterBundles, findBundles, insertOwedReports, type OwedReply } from './simulator-repository.ts';
import { createThrottle } from './throttle.ts';

export interface SimulatedNetworkOptions {
  knex: Knex;
  /** The connector's name. */
  name: string;
  scriptOf: ScriptOf;
  trouble: Pick<Trouble, 'throttled'>;
  /** Whether it gives each message that it accepts an id, which its reports repeat. */
  namesMessages: boolean;
  /** Whether it keeps the messages that it accepted, and responds to queries about them. */
  queried: boolean;
}

const inResponse = ({ afterSeconds }: ScriptedReport) => afterSeconds === 0;

function replyTo({ product, phone, sender, channel }: OutboundMessage, reply: ScriptedReply): OwedReply {
  const to = { from: phone, to: sender ?? '' };
  return { ...reply, ...to, ...(product === 'chatapp' ? { toId: channel } : {}) };
}

/** Like a real network it stores what it accepts: owed reports survive the process. */
export function createSimulatedNetwork({
  knex,
  name,
  scriptOf,
  trouble,
  namesMessages,
  queried,
}: SimulatedNetworkOptions): Connector {
  const isThrottled = createThrottle();
  const networkIdOf = ({ id }: OutboundMessage) => (namesMessages ? `simulated.${id}` : undefined);

  const accepted = (message: OutboundMessage): HandOver => {
    const reports = scriptOf(message.phone).reports.filter(inResponse);
    const networkId = networkIdOf(message);
    return {
      kind: 'accepted',
      ...(networkId === undefined ? {} : { networkId }),
      ...(reports.length === 0 ? {} : { reports: reports.map(({ state }) => state) }),
    };
  };

  const respond = (message: OutboundMessage): HandOver => {
    const { rejected, throttled = 0 } = scriptOf(message.phone);
    if (isThrottled(message.id, throttled)) {
      trouble.throttled();
      return { kind: 'later', delaySeconds: 1 };
    }
    return rejected === undefined ? accepted(message) : { kind: 'rejected', ...rejected };
  };

  return {
    send: async (messages) => {
      const responses = messages.map(respond);
      const taken = messages.filter((_message, index) => responses[index]?.kind === 'accepted');
      if (queried)
        await enterBundles(
          knex,
          taken.map(({ id }) => id),
        );
      await insertOwedReports(
        knex,
        name,
        taken.flatMap((message) => {
          const script = scriptOf(message.phone);
          const owed = [
            ...script.reports.filter((report) => !inResponse(report)),
            ...repliesTo(message.id, script).map((reply) => replyTo(message, reply)),
          ];
          return owed.map((report) => ({
            messageId: message.id,
            networkId: networkIdOf(message) ?? null,
            report,
          }));
        }),
      );
      return responses;
    },
    ...(queried
      ? {
          ask: async (messages: readonly OutboundMessage[]): Promise<QueryResult[]> => {
            const given = await findBundles(
              knex,
              messages.map(({ id }) => id),
            );
            return messages.map((message) =>
              given.has(message.id) ? accepted(message) : { kind: 'unknown' },
            );
          },
        }
      : {}),
  };
}
