/** Names the resources of a team, so that tests know what the paths of their calls have. */
import { createHash } from 'node:crypto';
import { messageIdOf } from '../../../src/read/messages/message-id.ts';

/** Resources by the names of the path parameters. */
export interface Named {
  teamId: string;
  userId: string;
  clientId: string;
  serviceId: string;
  chatAppServiceId: string;
  chatAppSenderId: string;
  senderId: string;
  country: string;
  templateId: string;
  chatAppTemplateId: string;
  campaignId: string;
  channelName: string;
  connectorName: string;
  routeName: string;
  itemId: string;
  importId: string;
  requestId: string;
  messageId: string;
  receiptId: string;
  endpointKey: string;
}

/** Unused ids that begin with `prefix`. */
export function names(prefix: string): Named {
  const requestId = uuidOf(`${prefix} request`);
  const receiptId = uuidOf(`${prefix} receipt`);
  return {
    teamId: prefix,
    userId: `${prefix}-user`,
    clientId: `${prefix}-client`,
    serviceId: `${prefix}-service`,
    chatAppServiceId: `${prefix}-chat`,
    chatAppSenderId: `${prefix}-number`,
    senderId: `${prefix}-sender`,
    country: countryOf(prefix),
    templateId: `${prefix}-template`,
    chatAppTemplateId: `${prefix}-chat-template`,
    campaignId: `${prefix}-campaign`,
    channelName: `${prefix}-channel`,
    connectorName: `${prefix}-connector`,
    routeName: `${prefix}-route`,
    itemId: '999999',
    importId: `${prefix}-import`,
    requestId,
    messageId: messageIdOf({ requestId, product: 'sms', position: 0 }),
    receiptId,
    // As sent-message.ts stores it.
    endpointKey: receiptId.replaceAll('-', '').slice(0, 16),
  };
}

/** Two letters that no country of the defaults has. */
function countryOf(name: string): string {
  const [first = 0, second = 0] = createHash('sha256').update(name).digest();
  return String.fromCharCode(65 + (first % 6), 65 + (second % 26));
}

/** The same for the same name, so that nobody else's request or receipt has it. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
