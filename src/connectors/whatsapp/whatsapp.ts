/** Sends chat-app templates and replies through the WhatsApp Cloud API, at the pace it allows. */

import { connectorSettings } from '../../../generated/connector-settings.ts';
import { isUserId } from '../../model/address.ts';
import { createExpiringMap, type ExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import { orItemFault } from '../../platform/isolation/fault.ts';
import type { FilledTemplate, SessionContent } from '../../products/chatapp/templates/filled-template.ts';
import type { Connector, HandOver, OutboundMessage } from '../contract/connector.ts';
import { failedMessage } from '../contract/failed-message.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import { referenceOf } from '../contract/reference.ts';
import {
  createProviderClient,
  type Exchanged,
  type ProviderClient,
  unansweredWords,
} from '../http/exchange.ts';
import { eachMessage } from '../http/provider.ts';
import { testExchange } from '../http/test-exchange.ts';
import { plainHttpFault, plainHttpWarning } from '../http/transport.ts';
import { createSlowDown, type SlowDown } from '../runtime/slow-down.ts';
import { readAccountTemplates, wordsOfRefusal } from './account-templates.ts';
import { type Remedy, remedyOf, stateOfRefusal } from './error-codes.ts';
import { openMedia } from './media.ts';
import type { WhatsAppSettings } from './settings.ts';
import { createStatusWait } from './status-wait.ts';
import { sessionObject, templateObject } from './template-message.ts';
import { faultOf, whatsAppInbound } from './webhook.ts';

export const whatsAppKind: ConnectorKind<WhatsAppSettings> = {
  documented: connectorSettings.whatsapp,
  address: ({ baseUrl }) => new URL(baseUrl).origin,
  fault: plainHttpFault,
  warning: plainHttpWarning,
  inbound: whatsAppInbound,
  test: ({ baseUrl, timeoutSeconds, version, phoneNumberId = 'me' }, { token = '' }, clock) =>
    testExchange(
      {
        ...{ baseUrl, timeoutSeconds, path: `/${version}/${phoneNumberId}?fields=id` },
        headers: { Authorization: `Bearer ${token}` },
      },
      clock,
      wordsOfRefusal,
    ),
  accountTemplates: (settings, { token = '' }, clock) => readAccountTemplates(settings, token, clock),
  openMedia: (settings, { token = '' }, clock, id) => openMedia(settings, token, clock, id),
  open: (settings, secrets, context) => {
    const { token } = secrets;
    if (token === undefined) throw new Error('the secret "token" is missing');
    return openWhatsApp(settings, token, context);
  },
};

interface Network {
  settings: WhatsAppSettings;
  context: ConnectorContext;
  client: ProviderClient;
  token: string;
  /** Of a sender. */
  pace: SlowDown;
  /** Of one recipient of a sender. */
  recipientPace: SlowDown;
  /** Of messages that met a temporary fault, or no response. */
  tries: ExpiringMap<number>;
}

type Answered = Extract<Exchanged, { kind: 'answered' }>;

const mostRemembered = 50_000;
const memoryMs = 3_600_000;
const pausedSeconds = 60;

function openWhatsApp(settings: WhatsAppSettings, token: string, context: ConnectorContext): Connector {
  const { baseUrl, timeoutSeconds, concurrency } = settings;
  const { clock } = context;
  const network: Network = {
    settings,
    context,
    client: createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock }),
    token,
    pace: createSlowDown({ firstSeconds: 1, factor: 2, limitSeconds: 300 }, clock),
    recipientPace: createSlowDown({ firstSeconds: 1, factor: 4, limitSeconds: 4096 }, clock),
    tries: createExpiringMap<number>(mostRemembered, clock),
  };
  return {
    send: eachMessage({
      concurrency,
      work: (message) => send(network, message),
      failed: failedMessage(context.logger),
    }),
    ask: createStatusWait(settings.statusWaitSeconds, clock),
    close: network.client.close,
  };
}

async function send(network: Network, message: OutboundMessage): Promise<HandOver> {
  const { settings, context, client, token, pace, recipientPace } = network;
  const sender = senderOf(message, settings);
  const pair = `${sender} ${message.phone}`;
  const wait = Math.max(pace.wait(sender), recipientPace.wait(pair));
  if (wait > 0) return { kind: 'later', delaySeconds: wait };
  const body = orItemFault('the message cannot be written', () => messageBody(message, settings));
  const exchanged = await client.exchange({
    method: 'POST',
    path: `/${settings.version}/${sender}/messages`,
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  if (exchanged.kind !== 'answered') context.trouble.failed(unansweredWords(exchanged));
  if (exchanged.kind === 'unsent') return { kind: 'later', delaySeconds: pace.slower(sender) };
  if (exchanged.kind === 'unanswered') return inDoubt(network, message);
  const networkId = idOf(exchanged);
  if (networkId !== undefined) {
    pace.works(sender);
    recipientPace.works(pair);
    return { kind: 'accepted', networkId };
  }
  // It was accepted, but its id is unknown. Its statuses carry our reference.
  if (exchanged.status < 300) return { kind: 'accepted' };
  return ofError(network, message, exchanged);
}

function countTry({ tries }: Network, { id }: OutboundMessage): number {
  const count = (tries.get(id) ?? 0) + 1;
  tries.set(id, count, memoryMs);
  return count;
}

/** After the last attempt the network counts as having it: the silence chore will end the message. */
function inDoubt(network: Network, message: OutboundMessage): HandOver {
  if (countTry(network, message) >= network.settings.tries) return { kind: 'accepted' };
  // Queried at once: this starts the wait for a status.
  return { kind: 'unclear', delaySeconds: 1 };
}

function senderOf({ channel }: OutboundMessage, { phoneNumberId = channel }: WhatsAppSettings): string {
  return phoneNumberId;
}

function contentOf({ content }: OutboundMessage): FilledTemplate | SessionContent {
  return JSON.parse(content);
}

/** The body of `POST /{version}/{phone number id}/messages`. */
function messageBody(message: OutboundMessage, settings: WhatsAppSettings): object {
  const content = contentOf(message);
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // An id in `to` is read as a number, and the message is lost.
    ...(isUserId(message.phone) ? { recipient: message.phone } : { to: message.phone }),
    ...('name' in content ? { type: 'template', template: templateObject(content) } : sessionObject(content)),
    biz_opaque_callback_data: referenceOf(message, settings),
  };
}

/** The network's id of an accepted message. */
function idOf({ status, body }: Answered): string | undefined {
  if (status >= 300) return undefined;
  const { messages } = (body ?? {}) as { messages?: readonly { id?: unknown }[] };
  const id = Array.isArray(messages) ? messages[0]?.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

type Failure = { reason: string; reasonCode?: string };

const outcomes: {
  [R in Remedy]: (
    network: Network,
    message: OutboundMessage,
    failure: Failure,
  ) => Promise<HandOver> | HandOver;
} = {
  pauseSender: async ({ settings, context, pace }, message, { reason, reasonCode = '' }) => {
    // The rest of the batch would only get the same response.
    pace.slower(senderOf(message, settings));
    await context.pause(`${reason} ${reasonCode}`.trim());
    return { kind: 'later', delaySeconds: pausedSeconds };
  },
  slowDown: ({ settings, context, pace }, message) => {
    context.trouble.throttled();
    return { kind: 'later', delaySeconds: pace.slower(senderOf(message, settings)) };
  },
  slowRecipient: ({ settings, recipientPace }, message) => ({
    kind: 'later',
    delaySeconds: recipientPace.slower(`${senderOf(message, settings)} ${message.phone}`),
  }),
  retry: (network, message, failure) => {
    network.context.trouble.failed(`WhatsApp responded with error ${failure.reasonCode}`);
    const tries = countTry(network, message);
    return tries < network.settings.tries ? { kind: 'later', delaySeconds: 2 ** tries } : refused(failure);
  },
  refuse: (_network, _message, failure) => refused(failure),
  refuseAndPauseTemplate: (network, message, failure) => withTemplate(network, message, failure, 'PAUSED'),
  refuseAndDisableTemplate: (network, message, failure) =>
    withTemplate(network, message, failure, 'DISABLED'),
};

function refused(failure: Failure): HandOver {
  return { kind: 'rejected', state: stateOfRefusal(failure.reasonCode), ...failure };
}

async function withTemplate(
  { context }: Network,
  message: OutboundMessage,
  failure: Failure,
  approvalStatus: 'PAUSED' | 'DISABLED',
): Promise<HandOver> {
  const content = contentOf(message);
  if ('name' in content) {
    const { name, language } = content;
    await context.templates([{ name, language, approvalStatus, comment: failure.reason }]);
  }
  return refused(failure);
}

async function ofError(
  network: Network,
  message: OutboundMessage,
  { status, body }: Answered,
): Promise<HandOver> {
  const { error } = (body ?? {}) as { error?: Readonly<Record<string, unknown>> };
  const failure = faultOf(error ?? {});
  const code = typeof error?.code === 'number' ? error.code : undefined;
  // A gateway gave up; the server behind it may have the message.
  if (code === undefined && status >= 500) return inDoubt(network, message);
  // Its text may quote the recipient: it is for the client only.
  network.context.logger.info({ messageId: message.id, status, code }, 'the network rejected a message');
  return outcomes[remedyOf(code, status)](network, message, { reasonCode: `HTTP ${status}`, ...failure });
}
