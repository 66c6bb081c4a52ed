/** Bodies and calls that the tests of disburseMobileData share. */
import { type Answer, type CallOptions, call, tokenFor } from './api.ts';
import { type Service, startService } from './service.ts';

export interface DataService {
  service: Service;
  demo: Service['demo'];
  /** Disburses as the demo client, under its open campaign unless another is named. */
  disburse: (body: unknown, options?: CallOptions & { campaignId?: string }) => Promise<Answer>;
  token: string;
}

/** A service of its own for one test file. */
export async function startData(settings: Record<string, string> = {}): Promise<DataService> {
  const service = await startService(settings);
  const { demo } = service;
  const token = await tokenFor(demo.baseUrl, demo);
  return {
    service,
    demo,
    token,
    disburse: (body, { campaignId = demo.campaigns.open, ...options } = {}) =>
      call(demo.baseUrl, `/data/${campaignId}`, { token, body, ...options }),
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
