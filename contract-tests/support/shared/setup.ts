/** Starts the shared service before the first test file, out of reach of its rate limit. */
import { type Service, startService } from '../service/service.ts';

export type AnnouncedService = Pick<Service, 'demo' | 'dataDirectory' | 'management' | 'proxyUrl'>;

/** The environment variable that names the service to test files: the processes that run them inherit it. */
export const announcement = 'TARISHI_SHARED_SERVICE';

let started: Service | undefined;

/** Jest calls it once for all projects that name it. */
export default async function setUp(): Promise<void> {
  started = await startService({ RATE_LIMIT_PER_SECOND: '1000000' });
  const { demo, dataDirectory, management, proxyUrl } = started;
  const announced: AnnouncedService = { demo, dataDirectory, management, proxyUrl };
  process.env[announcement] = JSON.stringify(announced);
}

export async function tearDown(): Promise<void> {
  await started?.dispose();
}
