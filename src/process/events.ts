/** Tells operators what happens: one function for each event, with a counter and, where it matters, a log line. */
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { Events } from '../model/events.ts';
import { isFinal } from '../model/states.ts';

function createCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const accepted = counter('tarishi_messages_accepted_total', 'Messages accepted and queued', [
    'operation',
    'channel',
  ]);
  const refused = counter('tarishi_requests_refused_total', 'Rejected requests, by status', [
    'operation',
    'status',
  ]);
  const undocumented = counter(
    'tarishi_undocumented_responses_total',
    'Sampled responses that do not match the OpenAPI document',
    ['operation'],
  );
  const finished = counter('tarishi_messages_finished_total', 'Messages that reached a final state', [
    'product',
    'channel',
    'state',
  ]);
  const reportsIgnored = counter(
    'tarishi_reports_ignored_total',
    'Network reports for messages that were not submitted through the connector',
    ['connector'],
  );
  const attempts = counter('tarishi_receipt_attempts_total', 'Attempts to post a receipt, by outcome', [
    'outcome',
  ]);
  const impossible = counter(
    'tarishi_receipts_impossible_total',
    'Receipts not created because the callback URL of the request cannot be called',
    [],
  );
  // Without labels: a counter with some appears with its first item, and an alert misses that one.
  const orphanedMessages = counter(
    'tarishi_orphaned_messages_total',
    'Messages in progress that nothing accounted for, put back on their way: a fault of the service',
    [],
  );
  const quarantined = counter('tarishi_quarantined_total', 'Items quarantined, by kind of work', ['round']);
  const movedOn = counter(
    'tarishi_messages_moved_on_total',
    'Messages that had another connector of their route, by the one that did not take them and why',
    ['connector', 'why'],
  );
  const ignored = counter(
    'tarishi_network_values_ignored_total',
    'Unusable values in network reports and responses',
    ['connector', 'value'],
  );
  const callsRefused = counter(
    'tarishi_network_calls_refused_total',
    'Calls without a valid proof that they are from the network of the connector',
    ['connector'],
  );
  const dropped = counter(
    'tarishi_inbound_messages_dropped_total',
    'Messages of phones that were acknowledged to the network and dropped',
    ['connector', 'reason'],
  );
  const unreadable = counter(
    'tarishi_inbound_unreadable_total',
    'What people sent or set, and networks reported, that could not be read and was stored as it is',
    ['connector', 'kind', 'reason'],
  );
  return {
    unreadable,
    accepted,
    refused,
    undocumented,
    finished,
    reportsIgnored,
    attempts,
    impossible,
    orphanedMessages,
    quarantined,
    movedOn,
    ignored,
    callsRefused,
    dropped,
  };
}

const mostInLog = 10;

/** Log lines and labels contain only ids and states, never a phone number, a message text or a secret. */
export function createEvents(registry: Registry, logger: Logger): Events {
  const counters = createCounters(registry);
  const ignoredBefore = new Set<string>();

  return {
    requestAccepted: ({ operation, messages }) => {
      const byChannel = new Map<string, number>();
      for (const { channel } of messages) byChannel.set(channel, (byChannel.get(channel) ?? 0) + 1);
      for (const [channel, count] of byChannel) counters.accepted.inc({ operation, channel }, count);
    },
    requestRefused: (operation, status) => counters.refused.inc({ operation, status: String(status) }),
    responseUndocumented: (operation, fault) => {
      counters.undocumented.inc({ operation });
      logger.error({ operation, fault }, 'a response does not match the OpenAPI document');
    },
    issuerReachable: (issuer, reachable, reason) => {
      if (reachable) logger.info({ issuer }, 'token issuer reachable again');
      else logger.warn({ issuer, reason }, 'token issuer unreachable: its keys of the last hour stay in use');
    },
    stateReached: ({ product, channel, state }) => {
      if (isFinal(product, state)) counters.finished.inc({ product, channel, state });
    },
    reportsIgnored: (connector, reports) => counters.reportsIgnored.inc({ connector }, reports),
    receiptAttempted: (outcome) => counters.attempts.inc({ outcome }),
    endpointChanged: (change, teamId, origin) => {
      if (change === 'recovered') logger.info({ teamId, origin }, 'callback endpoint works again');
      else if (change === 'failing') logger.warn({ teamId, origin }, 'callback endpoint fails');
      else logger.warn({ teamId, origin }, 'callback endpoint parked: it gets one attempt a minute');
    },
    receiptUnsigned: (receiptId, clientId) =>
      logger.warn({ receiptId, clientId }, 'receipt not posted: the client has no usable signing secret'),
    receiptImpossible: (requestId, messageId) => {
      counters.impossible.inc();
      logger.warn({ requestId, messageId }, 'receipt not created: the callback URL cannot be called');
    },
    messagesOrphaned: (messages) => {
      counters.orphanedMessages.inc(messages.length);
      const first = messages.slice(0, mostInLog).map(({ id, product, state }) => ({ id, product, state }));
      logger.error(
        { messages: messages.length, first },
        'messages that nothing accounted for are put back on their way',
      );
    },
    itemQuarantined: (round, item, reason) => {
      counters.quarantined.inc({ round });
      logger.error({ round, item, reason }, 'item quarantined: it could not be recorded');
    },
    messageDropped: (connector, reason) => {
      counters.dropped.inc({ connector, reason });
      const kind = `${connector} dropped ${reason}`;
      if (ignoredBefore.has(kind)) return;
      ignoredBefore.add(kind);
      logger.warn({ connector, reason }, 'message of a phone dropped; the next ones are only counted');
    },
    inboundUnreadable: (connector, kind, reason) => counters.unreadable.inc({ connector, kind, reason }),
    messagesMovedOn: (connector, why, messages) => counters.movedOn.inc({ connector, why }, messages),
    networkCallRefused: (connector) => counters.callsRefused.inc({ connector }),
    networkValueIgnored: (connector, value) => {
      counters.ignored.inc({ connector, value });
      // A network that sends one sends thousands: the metric counts them.
      const kind = `${connector} ${value}`;
      if (ignoredBefore.has(kind)) return;
      ignoredBefore.add(kind);
      logger.warn(
        { connector, value },
        'unusable value from a network ignored; the next ones are only counted',
      );
    },
  };
}
