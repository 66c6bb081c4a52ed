/** The simulated networks of a process: opens connectors to them, and has them send the reports that they owe. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import type { NetworkReport } from '../contract/connector.ts';
import type { ConnectorContext, ConnectorKind } from '../contract/kind.ts';
import type { SimulatorScripts } from './script.ts';
import { createSimulatedNetwork } from './simulated-network.ts';
import { type DueReport, deleteReports, leaseDueReports } from './simulator-repository.ts';

export interface Simulators {
  /** Opens a connector to the simulated network for messages of that product. */
  open: (product: Product) => ConnectorKind['open'];
  /** Sends reports that are due; resolves to whether there may be more at once. */
  round: () => Promise<boolean>;
}

const reportsPerRound = 500;
/** As the real networks of each product do. */
const namesMessages: Readonly<Record<Product, boolean>> = { sms: false, data: false, chatapp: true };

export function createSimulators(knex: Knex, scripts: SimulatorScripts): Simulators {
  /** Passes what its network reports to each open connector. */
  const tell = new Map<string, ConnectorContext['report']>();
  return {
    open:
      (product) =>
      (_settings, _secrets, { name, report, trouble }) => {
        tell.set(name, report);
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
            if (tell.get(name) === report) tell.delete(name);
          },
        };
      },
    round: async () => {
      if (tell.size === 0) return false;
      const due = await leaseDueReports(knex, [...tell.keys()], reportsPerRound);
      for (const [connector, own] of Map.groupBy(due, (report) => report.connector)) {
        await tell.get(connector)?.(own.map(asNetworkReport));
        await deleteReports(
          knex,
          own.map(({ id }) => id),
        );
      }
      return due.length === reportsPerRound;
    },
  };
}

function asNetworkReport({ messageId, networkId, report }: DueReport): NetworkReport {
  const { state, reason, reasonCode } = report;
  return {
    messageId,
    ...(networkId === null ? {} : { networkId }),
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
  };
}
