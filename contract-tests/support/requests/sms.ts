/** Bodies and calls that the tests of sendSms share. */
import type { Answer, CallOptions } from '../service/api.ts';
import { type DemoCaller, type DemoClient, demoCallerIn, startDemoClient } from '../service/demo-client.ts';
import type { InProcess, startInProcess } from '../service/in-process.ts';
import { sharedDemo } from '../shared/service.ts';

export interface SmsCaller extends DemoCaller {
  /** Sends as the demo client, to its service unless another is named. */
  send: (body: unknown, options?: CallOptions & { serviceId?: string }) => Promise<Answer>;
}

export type SmsService = SmsCaller & DemoClient;

/** A service of its own, for a test file that changes settings or data, or is after its limits. */
export const startSms = async (...how: Parameters<typeof startDemoClient>): Promise<SmsService> =>
  extend(await startDemoClient(...how));

/** As `startSms`, in the test's process. */
export const smsInProcess = async (
  ...how: Parameters<typeof startInProcess>
): Promise<SmsCaller & DemoCaller<InProcess>> => extend(await demoCallerIn(...how));

/** The service that all test files share. */
export const sharedSms = async (): Promise<SmsCaller> => extend(await sharedDemo());

function extend<Caller extends DemoCaller>(caller: Caller): Caller & SmsCaller {
  return {
    ...caller,
    send: (body, { serviceId = caller.demo.smsServiceId, ...options } = {}) =>
      caller.post(`/message/${serviceId}`, body, options),
  };
}

/** Different numbers of one channel, delivered at once by the simulator. */
export function phones(count: number, prefix = '+25471100'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 5000}`);
}

export const toMany = (addresses: unknown, message: unknown = 'Habari', more: object = {}) => ({
  type: 'SendToMany',
  addresses,
  message,
  ...more,
});

export const toEach = (messages: unknown, more: object = {}) => ({ type: 'SendToEach', messages, ...more });

export const templateToMany = (
  templateId: unknown,
  addresses: unknown,
  params: unknown,
  more: object = {},
) => ({
  type: 'TemplateSendToMany',
  templateId,
  addresses,
  params,
  ...more,
});

export const templateToEach = (templateId: unknown, messages: unknown, more: object = {}) => ({
  type: 'TemplateSendToEach',
  templateId,
  messages,
  ...more,
});
