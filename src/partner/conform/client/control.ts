/** Controls a sandbox over its HTTP API, as spec/sandbox.yaml describes it. */
import { request } from 'undici';
import type { components } from '../../../../generated/sandbox.d.ts';
import type { RecordedCall } from './exchange.ts';

export type Fault = components['schemas']['Fault'];
export type SandboxDescription = components['schemas']['Sandbox'];

export interface Control {
  description: SandboxDescription;
  reset: () => Promise<void>;
  addFault: (fault: Fault) => Promise<void>;
  calls: () => Promise<RecordedCall[]>;
  countMessages: () => Promise<number>;
}

export function createControl(description: SandboxDescription): Control {
  const call = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const response = await request(`${description.baseUrl}/sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`the sandbox responds ${response.statusCode}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    description,
    reset: () => call('POST', '/reset'),
    addFault: (fault) => call('POST', '/faults', fault),
    calls: async () => (await call<components['schemas']['Requests']>('GET', '/requests')).requests,
    countMessages: async () =>
      (await call<components['schemas']['Messages']>('GET', '/messages')).messages.length,
  };
}
