/** Reports of networks on messages in a real database, for tests of what becomes of them. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { NetworkReport } from '../../connectors/contract/connector.ts';
import { cleanReports } from '../../connectors/contract/network-text.ts';
import type { Product } from '../../model/plan.ts';
import { createEvents } from '../../process/events.ts';
import type { Consequences } from '../../receipts/record.ts';
import { consequences, recordedMessages, submitted } from '../../receipts/record-testing.ts';
import { createReportStore, networkReportRound } from './network-reports.ts';
import { insertParts } from './part-repository.ts';

/** What some connectors hand over; all others have SMS. */
const products: Readonly<Record<string, Product>> = { provider: 'data', app: 'chatapp' };

interface Told {
  product: Product;
  /** Resolves once the submissions until now are stored. */
  submissionsStored: () => Promise<void>;
}

/** For all tests of a file. */
export function openedReports(receipts: Consequences = consequences) {
  const messages = recordedMessages();
  const registry = new Registry();
  const logger = pino({ level: 'silent' });
  const events = createEvents(registry, logger);
  const listeners = () => ({
    knex: messages.database.knex,
    ...{ logger, events, consequences: receipts, onReceipts: () => {} },
  });
  let wakes = 0;
  const round = () => networkReportRound(listeners());
  return {
    messages,
    registry,
    accepted: async (product: Product = 'sms'): Promise<string> => {
      const [id = ''] = await messages.accept(1, { product });
      return id;
    },
    stateOf: async (id: string) => (await messages.statesOf([id]))[0],
    receiptsOf: async (id: string): Promise<string[]> =>
      (await messages.receiptsOf([id])).map(({ body }) => JSON.parse(body).state),
    /** The network took the message and gave each of its parts an id. */
    handOver: async (
      messageId: string,
      networkIds: readonly string[],
      connector = 'smsc',
      product = products[connector] ?? 'sms',
    ) => {
      const { length: parts } = networkIds;
      await messages.database.knex.transaction((trx) =>
        insertParts(
          trx,
          networkIds.map((networkId) => ({ connector, networkId, messageId, parts, state: null })),
        ),
      );
      await messages.record({ ...submitted(messageId), product, connector });
    },
    store: (
      connector: string,
      reports: readonly NetworkReport[],
      { product = products[connector] ?? 'sms', submissionsStored = async () => {} }: Partial<Told> = {},
    ): Promise<void> =>
      createReportStore({ ...listeners(), submissionsStored, onStored: () => (wakes += 1) })(
        { connector, product },
        cleanReports(reports, () => {}),
      ),
    /** How often somebody was told that there are reports to look at. */
    wakes: () => wakes,
    /** How many reports wait. */
    waiting: async () => (await messages.database.knex('network_reports')).length,
    round,
    /** Looks at everything that waits, due or not. */
    look: async () => {
      await messages.database.knex.raw('update network_reports set next_look_at = now()');
      while (await round());
    },
  };
}
