/** Handles what the SMSC delivers, reports and messages of phones: stores them before they are acknowledged. */
import type { Logger } from 'pino';
import { isItemFault } from '../../../platform/isolation/fault.ts';
import type { NetworkReport } from '../../contract/connector.ts';
import type { PhoneMessage } from '../../contract/phone-message.ts';
import { readPhoneMessage, unreadableOf } from '../inbound/phone-message.ts';
import type { Link, OwnersRequest } from '../session/link.ts';
import { phoneOf, type SmppSettings } from '../settings.ts';
import { statuses } from '../wire/commands.ts';
import { detailsIn, isReport, readDeliveryReport } from './delivery-report.ts';
import { reportedId } from './report-id.ts';
import { endOf } from './report-states.ts';

export interface IncomingDependencies {
  settings: SmppSettings;
  report: (reports: readonly NetworkReport[]) => Promise<void>;
  receive: (messages: readonly PhoneMessage[]) => Promise<void>;
  logger: Logger;
}

/**
 * Any deliver_sm or data_sm is acknowledged, so that the SMSC does not repeat it. Only one that could not be stored gets a
 * temporary error, and is repeated; one that never can be stored gets a permanent error.
 */
export function createIncoming({ settings, report, receive, logger }: IncomingDependencies) {
  return (request: OwnersRequest, link: Link): void => {
    const respond = (status: number) =>
      link.respond(request, status, { systemId: '', messageId: '', tlvs: [] });
    if (request.command !== 'deliver_sm' && request.command !== 'data_sm') {
      respond(statuses.invalidBindState);
      return;
    }
    const said = readDeliveryReport(request);
    const isMarked = isReport(request);
    if (!isMarked && (said === undefined || !settings.unmarkedReports)) {
      const message = readPhoneMessage(request, settings, (identifier) =>
        logger.warn({ identifier }, 'text in a national alphabet that is not known'),
      );
      receive([message]).then(
        () => respond(statuses.ok),
        (error: unknown) => {
          const again = !isItemFault(error);
          logger.error({ err: error, again }, 'message of a phone not stored');
          respond(again ? statuses.receiverTemporaryError : statuses.receiverPermanentError);
        },
      );
      return;
    }
    const end = said && endOf(said, settings.errorStates);
    if (said === undefined) {
      const octets = 'text' in request ? request.text : Buffer.alloc(0);
      receive([unreadableOf('Status', octets, request)]).then(
        () => respond(statuses.ok),
        (error: unknown) => {
          logger.error(
            { err: error },
            'report that cannot be read not stored; the SMSC should send it again',
          );
          respond(statuses.systemError);
        },
      );
      return;
    }
    if (end === undefined) {
      logger.debug({ command: request.command, state: said.state }, 'report without a final state ignored');
      respond(statuses.ok);
      return;
    }
    // Others than SMSCs may write parameters too: what is not marked counts for messages to its own number only.
    const phone = isMarked ? {} : { phone: phoneOf(request.source) };
    const details = detailsIn(request, settings.reportTags);
    const besides = details === undefined ? {} : { details };
    report([{ networkId: reportedId(said.id, settings), ...end, ...phone, ...besides }]).then(
      () => respond(statuses.ok),
      (error: unknown) => {
        logger.error({ err: error }, 'report not stored; the SMSC should send it again');
        respond(statuses.systemError);
      },
    );
  };
}
