/** Handles delivery reports from the SMSC: stores them before they are acknowledged. */
import type { Logger } from 'pino';
import type { NetworkReport } from '../../contract/connector.ts';
import type { Link, OwnersRequest } from '../session/link.ts';
import { phoneOf, type SmppSettings } from '../settings.ts';
import { statuses } from '../wire/commands.ts';
import { isReport, readDeliveryReport } from './delivery-report.ts';
import { reportedId } from './report-id.ts';
import { endOf } from './report-states.ts';

export interface IncomingDependencies {
  settings: SmppSettings;
  report: (reports: readonly NetworkReport[]) => Promise<void>;
  /** A phone sent a message. */
  onMessage: () => void;
  logger: Logger;
}

/**
 * Any deliver_sm or data_sm is acknowledged, so that the SMSC does not repeat it. Only a report that could not be
 * stored gets a system error, and is repeated.
 */
export function createIncoming({ settings, report, onMessage, logger }: IncomingDependencies) {
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
      onMessage();
      respond(statuses.ok);
      return;
    }
    const end = said && endOf(said, settings.errorStates);
    if (said === undefined || end === undefined) {
      logger.debug({ command: request.command, state: said?.state }, 'report without a final state ignored');
      respond(statuses.ok);
      return;
    }
    // Anybody can write what is not marked: it counts for messages to its own number only.
    const phone = isMarked ? {} : { phone: phoneOf(request.source) };
    report([{ networkId: reportedId(said.id, settings), ...end, ...phone }]).then(
      () => respond(statuses.ok),
      (error: unknown) => {
        logger.error({ err: error }, 'report not stored; the SMSC should send it again');
        respond(statuses.systemError);
      },
    );
  };
}
