/** The table of all pages. */
import type { Operation } from '../contract/management.ts';
import { endpointRoutes } from './messages/endpoints.ts';
import { inboundRoutes } from './messages/inbound.ts';
import { messageRoutes } from './messages/message.ts';
import { receiptRoutes } from './messages/receipts.ts';
import { replayRoutes } from './messages/replay.ts';
import { requestRoutes } from './messages/requests.ts';
import { explainRoutes } from './networks/explain.ts';
import type { ConsoleRoute } from './page.ts';
import { accountRoutes } from './pages/accounts.ts';
import { auditRoutes } from './pages/audit.ts';
import { erasureRoutes } from './pages/erasure.ts';
import { guardedPlaceRoutes } from './pages/guarded-places.ts';
import { ledgerRoutes } from './pages/ledger.ts';
import { optOutRoutes } from './pages/opt-outs.ts';
import { portedRoutes } from './pages/ported-numbers.ts';
import { quarantineRoutes } from './pages/quarantine.ts';
import { statementRoutes } from './pages/statement.ts';
import { statisticsRoutes } from './pages/statistics.ts';
import { definitions } from './resources/definitions.ts';
import { resourceRoutes } from './resources/routes.ts';
import { type SendBurst, todayRoutes } from './today/today.ts';

/** The first route that fits a path is taken. */
export function createRoutes(
  operations: ReadonlyMap<string, Operation>,
  sendBurst: SendBurst = undefined,
): ConsoleRoute[] {
  return [
    ...todayRoutes(sendBurst),
    ...requestRoutes,
    ...messageRoutes,
    ...inboundRoutes,
    ...receiptRoutes,
    ...endpointRoutes,
    ...replayRoutes,
    ...accountRoutes,
    ...auditRoutes,
    ...erasureRoutes,
    ...explainRoutes,
    ...guardedPlaceRoutes,
    ...ledgerRoutes,
    ...optOutRoutes,
    ...portedRoutes,
    ...quarantineRoutes,
    ...statementRoutes,
    ...statisticsRoutes,
    ...definitions.flatMap((definition) => resourceRoutes(definition, operations)),
  ];
}
