/** Builds what the handlers that read need beside the database: the log of receipts, the sample, files, and the check of searches. */
import { randomUUID } from 'node:crypto';
import type { Service } from '../../handlers/service.ts';
import { createOpenMedia } from '../connectors/runtime/media.ts';
import { createConnectorRepository } from '../connectors/runtime/repository.ts';
import { type CountryCode, createPhoneParser, orUserId } from '../products/phone/parse.ts';
import { smsReceipt } from '../products/sms/receipt.ts';
import { createGetInboundFile } from '../read/inbound-media.ts';
import { findInboundMedia } from '../read/inbound-repository.ts';
import { createSearchCheck } from '../read/messages/message-search.ts';
import { createCallbackClient } from '../receipts/callback/client.ts';
import { createDestinations } from '../receipts/callback/destination.ts';
import { findReceipt, listReceipts } from '../receipts/log-repository.ts';
import { replayReceipts, resendReceipt } from '../receipts/resend-repository.ts';
import { createPostSample } from '../receipts/sample.ts';
import { connectorSecretsIn, type ProcessContext, type Running } from './context.ts';
import { createSigningKeys } from './worker/receipts.ts';

export function createReading(
  context: ProcessContext,
): Pick<Service, 'receipts' | 'postSample' | 'checkMessageSearch' | 'getInboundFile'> & Running {
  const { config, clock, database, logger, secrets } = context;
  const { knex } = database;
  const destinations = createDestinations({ allowLoopback: config.allowLoopbackCallbacks });
  const client = createCallbackClient({ destinations });
  return {
    receipts: {
      list: (teamId, filter) => listReceipts(knex, teamId, filter),
      find: (teamId, id) => findReceipt(knex, teamId, id),
      resend: (teamId, id) => resendReceipt(knex, teamId, id),
      replay: (teamId, replay) => knex.transaction((trx) => replayReceipts(trx, teamId, replay)),
    },
    postSample: createPostSample({
      client,
      destinations,
      signingKeysOf: createSigningKeys(context),
      sample: () => sampleReceipt(clock.now()),
      clock,
    }),
    checkMessageSearch: createSearchCheck(
      orUserId(createPhoneParser(config.defaultRegion as CountryCode)),
      secrets.hashPhone,
      clock,
    ),
    getInboundFile: createGetInboundFile({
      find: (team, messageId) => findInboundMedia(knex, team, messageId),
      open: createOpenMedia({
        load: createConnectorRepository(knex).load,
        openSecrets: connectorSecretsIn(secrets),
        clock,
      }),
      onAway: (connector, reason) => logger.warn({ connector, reason }, 'the network does not give a file'),
    }),
    stop: client.close,
  };
}

function sampleReceipt(nowMs: number): object {
  return smsReceipt({
    requestId: randomUUID(),
    position: 0,
    correlator: 'test',
    phone: '+254711000000',
    sequence: 1,
    state: 'Delivered',
    reachedAt: new Date(nowMs),
    reason: null,
    reasonCode: null,
    hasFallback: false,
  });
}
