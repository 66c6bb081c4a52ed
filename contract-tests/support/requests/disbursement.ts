/** Bodies and calls that the tests of disburseMobileData share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoClient, startDemoClient } from '../service/demo-client.ts';

export interface DataService extends DemoClient {
  /** Disburses as the demo client, under its open campaign unless another is named. */
  disburse: (body: unknown, options?: CallOptions & { campaignId?: string }) => Promise<Answer>;
}

/** A service of its own for one test file. */
export async function startData(settings: Record<string, string> = {}): Promise<DataService> {
  const client = await startDemoClient(settings);
  return {
    ...client,
    disburse: (body, { campaignId = client.demo.campaigns.open, ...options } = {}) =>
      client.post(`/data/${campaignId}`, body, options),
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
