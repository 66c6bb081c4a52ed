/** Runs the console in this process, on a fresh database, for tests. */
import { createUser } from '../../../src/manage/access/users.ts';
import type { Role } from '../../../src/manage/rules.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import type { CallManagement } from '../management/caller.ts';
import {
  type ManagementService,
  type ServiceOptions,
  startManagementService,
} from '../management/service.ts';
import { type Visitor, visitorAt } from './visitor.ts';

export interface ConsoleService extends ManagementService {
  /** Adds a user; opens pages as that user. */
  visitor: (id: string, user: { role: Role; teamId?: string }) => Promise<Visitor>;
}

export async function startConsole(options?: ServiceOptions, clock = systemClock): Promise<ConsoleService> {
  const service = await startManagementService(clock, options);
  const listener = service.url.replace(/\/management$/, '');
  return {
    ...service,
    visitor: async (id, { role, teamId = null }) => {
      const { accessKey } = await createUser(service.management, { id, role, teamId });
      const stranger = visitorAt(listener);
      const { headers } = await stranger.post('/sign-in', { accessKey });
      return visitorAt(listener, { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' });
    },
  };
}

/** A console with the team `acme`, seen by an owner of the platform; `api` calls the API as another. */
export async function startAcme(): Promise<{ service: ConsoleService; owner: Visitor; api: CallManagement }> {
  const service = await startConsole();
  const owner = await service.visitor('amina', { role: 'owner' });
  const api = await service.user('program', { role: 'owner' });
  await api('POST /teams', { id: 'acme' });
  return { service, owner, api };
}
