/** Builds the management API: the management contract under /management, and its reference. */
import type { ManagementDocument } from '../../handlers/management/operation.ts';
import { createManagementHandlers } from '../../handlers/management/operations.ts';
import { createContract } from '../http/contract/contract.ts';
import { loadDocument } from '../http/contract/document.ts';
import { createGuard } from '../http/guard.ts';
import { createDocsRoutes } from '../http/routes/docs-routes.ts';
import { createDocumentRoutes, createReceiptDocumentRoutes } from '../http/routes/document-routes.ts';
import { startServer } from '../http/server.ts';
import { createUserAuthentication } from '../manage/access/authentication.ts';
import { userOfKey } from '../manage/access/users.ts';
import type { ProcessContext, Running } from './context.ts';
import type { ApiListeners } from './listeners.ts';

export const managementPath = '/management';

/** `scopes`: those that the public document has, which clients may get. */
export async function startManagement(
  context: ProcessContext,
  scopes: readonly string[],
  { management: listener, publicUrl }: Pick<ApiListeners, 'management' | 'publicUrl'>,
): Promise<Running> {
  const { config, clock, logger, database, secrets, registry, events } = context;
  const { knex } = database;
  const document = loadDocument(new URL('../../spec/management.yaml', import.meta.url));
  const guard = createGuard(clock);
  const contract = await createContract<ManagementDocument>({
    document,
    handlers: createManagementHandlers({
      knex,
      clock,
      secrets: async () => secrets,
      scopes,
    }),
    authenticate: createUserAuthentication((key) => userOfKey({ knex, secrets }, key), clock),
    guard,
    checkedResponses: config.checkedResponses,
    compilesLate: true,
    onUndocumented: (operationId, fault) => {
      events.responseUndocumented(operationId, fault);
      if (!config.production)
        throw new Error(`${operationId} returned a response that is not documented: ${fault}`);
    },
  });
  const docs = createDocsRoutes({ document, basePath: managementPath, publicUrl });
  const server = startServer(
    {
      clock,
      logger,
      registry,
      events,
      trustedProxyHops: config.trustedProxyHops,
      guard,
      pages: [createDocumentRoutes(document), createReceiptDocumentRoutes(), docs.router],
      showNotFound: docs.showNotFound,
      contract,
      basePath: managementPath,
      onChange: context.pace.touch,
    },
    listener,
  );
  return {
    stop: () => server.stop({ drainMs: config.drainDelayMs, graceMs: config.shutdownGraceMs / 2 }),
  };
}
