/** People who sign in to a console with their access keys, for tests. */
import { createUser } from '../../../src/manage/access/users.ts';
import type { ProcessContext } from '../../../src/process/context.ts';
import type { CallManagement } from '../management/caller.ts';
import {
  type ManagementService,
  type ServiceOptions,
  startManagementService,
} from '../management/service.ts';
import { type Browser, createBrowser } from './browser.ts';

export interface People {
  service: ManagementService;
  /** Calls the API as an owner of the platform. */
  root: CallManagement;
  /** The URL of a page. */
  at: (path: string) => string;
  /** Another owner each time, so that tests do not end the sessions of each other. */
  newUser: () => Promise<{ id: string; accessKey: string }>;
  /** A browser whose user has signed in, by default a new one. */
  signedIn: (accessKey?: string) => Promise<Browser>;
  hasSession: (browser: Browser) => boolean;
  exists: (team: string) => Promise<boolean>;
}

/** The cookie of a session. */
export const sessionCookie = '__Host-tarishi-console';

/** There is a team `acme`. */
export async function startPeople(
  clock?: ProcessContext['clock'],
  options?: ServiceOptions,
): Promise<People> {
  const service = await startManagementService(clock, options);
  const { origin } = new URL(service.url);
  const at = (path: string) => `${origin}/console${path}`;
  const root = await service.user('root', { role: 'owner' });
  await root('POST /teams', { id: 'acme' });
  let users = 0;
  const newUser = async () => {
    users += 1;
    const id = `user-${users}`;
    return {
      id,
      accessKey: (await createUser(service.management, { id, teamId: null, role: 'owner' })).accessKey,
    };
  };
  return {
    service,
    root,
    at,
    newUser,
    signedIn: async (accessKey) => {
      const browser = createBrowser();
      await browser.go(at('/sign-in'), { accessKey: accessKey ?? (await newUser()).accessKey });
      return browser;
    },
    hasSession: (browser) => browser.cookies(at('/')).has(sessionCookie),
    exists: async (team) => (await root(`GET /teams/${team}`)).status === 200,
  };
}
