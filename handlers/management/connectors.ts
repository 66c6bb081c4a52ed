/** Connectors and their condition. */
import type { Management } from '../../src/manage/management.ts';
import {
  type ConnectorState,
  type ConnectorView,
  changeConnector as change,
  connectors,
  createConnector as create,
  listConnectors as list,
  pauseConnector as pause,
  removeConnector as remove,
  resumeConnector as resume,
} from '../../src/manage/networks/connectors.ts';
import * as test from '../../src/manage/networks/test-connector.ts';
import { etagOf, headersOfNew, type ManagementHandler, wire } from './operation.ts';

/** Lists connectors with their condition. */
export const listConnectors: ManagementHandler<'listConnectors'> = async ({ reply }, management) => {
  return reply(200, { items: (await list(management)).map(writtenConnector) });
};

/** Adds a connector. */
export const createConnector: ManagementHandler<'createConnector'> = async ({ body, reply }, management) => {
  const connector = await create(management, body);
  return reply(
    201,
    await stateOf(management, connector),
    headersOfNew(connector, '/connectors/', connector.name),
  );
};

/** Gets a connector with its condition. */
export const getConnector: ManagementHandler<'getConnector'> = async ({ path, reply }, management) => {
  const connector = await connectors.get(management, path.connectorName);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};

/** Changes the settings or secrets of a connector. */
export const updateConnector: ManagementHandler<'updateConnector'> = async (
  { path, body, version, reply },
  management,
) => {
  const connector = await change(management, path.connectorName, body, version);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};

/** Removes a connector. */
export const removeConnector: ManagementHandler<'removeConnector'> = async (
  { path, query, version, reply },
  management,
) => {
  await remove(management, path.connectorName, { abandon: query.abandon }, version);
  return reply(204);
};

/** Pauses a connector. */
export const pauseConnector: ManagementHandler<'pauseConnector'> = async (
  { path, body, reply },
  management,
) => {
  const connector = await pause(management, path.connectorName, body);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};

/** Resumes a connector. */
export const resumeConnector: ManagementHandler<'resumeConnector'> = async ({ path, reply }, management) => {
  const connector = await resume(management, path.connectorName);
  return reply(200, await stateOf(management, connector), etagOf(connector));
};

/** Tests a connector without sending a message. */
export const testConnector: ManagementHandler<'testConnector'> = async ({ path, reply }, management) => {
  const { ok, problem } = await test.testConnector(management, path.connectorName);
  return reply(200, wire({ ok, problem }));
};

/** The version is in the ETag. */
function writtenConnector({ version: _version, ...connector }: ConnectorState) {
  return wire(connector);
}

/** A connector with its condition in all processes. */
async function stateOf(management: Management, connector: ConnectorView) {
  const states = await list(management);
  const state = states.find(({ name }) => name === connector.name) ?? unseen;
  return writtenConnector({ ...state, ...connector });
}

/** Of a connector that was removed at the same time. */
const unseen = {
  condition: 'away',
  reason: null,
  since: null,
  waiting: 0,
  oldestWaitingAt: null,
  binds: null,
  bound: null,
  window: null,
  inFlight: null,
  ratePerSecond: null,
  holders: [],
  throttled: false,
  lastError: null,
  lastErrorAt: null,
  uses: [],
} as const;
