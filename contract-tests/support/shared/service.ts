/** The demo service that the files of a test run share. They send to it, but neither stop it nor change its data. */
import { callerAt, succeeding } from '../management/caller.ts';
import { tokenFor } from '../service/api.ts';
import { type DemoCaller, demoCaller } from '../service/demo-client.ts';
import { useProxy } from '../service/proxy.ts';
import type { Service } from '../service/service.ts';
import { type AnnouncedService, announcement } from './setup.ts';

export type SharedService = Pick<Service, 'demo' | 'dataDirectory' | 'operate'>;

/** In the projects that jest.config.js names. */
export function sharedService(): SharedService {
  const announced = process.env[announcement];
  if (announced === undefined) throw new Error('this project has no shared service: see jest.config.js');
  const { demo, dataDirectory, management, proxyUrl }: AnnouncedService = JSON.parse(announced);
  if (proxyUrl !== undefined) useProxy(demo.baseUrl, proxyUrl);
  return { demo, dataDirectory, operate: succeeding(callerAt(management.url, management.key)) };
}

/** The shared service, called as its demo client. */
export async function sharedDemo(): Promise<DemoCaller> {
  const service = sharedService();
  const { demo } = service;
  return demoCaller(service, await tokenFor(demo.baseUrl, demo));
}
