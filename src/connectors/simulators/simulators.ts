/** The simulated networks of a process: opens connectors to them, and has them send the reports and replies that they owe. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import type { PhoneContent, PhoneMessage } from '../contract/phone-message.ts';
import { pictureMedia } from './picture.ts';
import type { SimulatorScripts } from './script.ts';
import { createSimulatedNetwork } from './simulated-network.ts';
import { type DueReport, deleteReports, leaseDueReports } from './simulator-repository.ts';

export interface Simulators {
  /** Opens a connector to the simulated network for messages of that product. */
  open: (product: Product) => ConnectorKind['open'];
  /** Sends reports and replies that are due; resolves to whether there may be more at once. */
  round: () => Promise<boolean>;
}

const reportsPerRound = 500;
/** As the real networks of each product do. */
const namesMessages: Readonly<Record<Product, boolean>> = { sms: false, data: false, chatapp: true };

export function createSimulators(knex: Knex, scripts: SimulatorScripts): Simulators {
  /** Each open connector, to pass on what its network sends. */
  const listeners = new Map<string, Pick<ConnectorContext, 'report' | 'receive'>>();
  return {
    open: (product) => (_settings, _secrets, context) => {
      const { name, trouble } = context;
      listeners.set(name, context);
      return {
        ...createSimulatedNetwork({
          knex,
          name,
          scriptOf: scripts[product],
          namesMessages: namesMessages[product],
          queried: products[product].queried,
          trouble,
        }),
        close: async () => {
          if (listeners.get(name) === context) listeners.delete(name);
        },
      };
    },
    round: async () => {
      if (listeners.size === 0) return false;
      const due = await leaseDueReports(knex, [...listeners.keys()], reportsPerRound);
      for (const [connector, own] of Map.groupBy(due, (report) => report.connector)) {
        const listener = listeners.get(connector);
        const reports = own.flatMap(asNetworkReport);
        if (reports.length > 0) await listener?.report(reports);
        const replies = own.flatMap(asPhoneMessage);
        if (replies.length > 0) await listener?.receive(replies);
        await deleteReports(
          knex,
          own.map(({ id }) => id),
        );
      }
      return due.length === reportsPerRound;
    },
  };
}

function asNetworkReport({ messageId, networkId, report }: DueReport): NetworkReport[] {
  if ('text' in report) return [];
  const { state, reason, reasonCode } = report;
  return [
    {
      messageId,
      ...(networkId === null ? {} : { networkId }),
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(reasonCode === undefined ? {} : { reasonCode }),
    },
  ];
}

function asPhoneMessage({ id, report }: DueReport): PhoneMessage[] {
  if (!('text' in report)) return [];
  const { from, to, toId, text, picture } = report;
  const content: PhoneContent =
    picture === undefined ? { kind: 'text', text } : { kind: 'media', text, media: pictureMedia };
  const body = { content };
  return [{ from, to, toId, identity: `reply ${id}`, repeatedWithinSeconds: null, body }];
}
