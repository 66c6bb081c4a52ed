/** Bodies and calls that the tests of disburseMobileData share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoCaller, type DemoClient, startDemoClient } from '../service/demo-client.ts';
import { sharedDemo } from '../shared/service.ts';

export interface DataCaller extends DemoCaller {
  /** Disburses as the demo client, under its open campaign unless another is named. */
  disburse: (body: unknown, options?: CallOptions & { campaignId?: string }) => Promise<Answer>;
}

export type DataService = DataCaller & DemoClient;

/** A service of its own, for a test file that changes settings or data, or is after its limits. */
export const startData = async (...how: Parameters<typeof startDemoClient>): Promise<DataService> =>
  extend(await startDemoClient(...how));

/** The service that all test files share. */
export const sharedData = async (): Promise<DataCaller> => extend(await sharedDemo());

function extend<Caller extends DemoCaller>(caller: Caller): Caller & DataCaller {
  return {
    ...caller,
    disburse: (body, { campaignId = caller.demo.campaigns.open, ...options } = {}) =>
      caller.post(`/data/${campaignId}`, body, options),
  };
}

export const bundleToMany = (recipients: unknown, denomination: unknown = '100MB', more: object = {}) => ({
  type: 'SendToMany',
  phones: recipients,
  denomination,
  ...more,
});

export const bundleToEach = (disbursements: unknown, more: object = {}) => ({
  type: 'SendToEach',
  disbursements,
  ...more,
});

export const defaultService = { serviceSelection: { type: 'DefaultService' } };

export const selfService = (serviceId: unknown) => ({ serviceSelection: { type: 'SelfService', serviceId } });
