/** The errors for missing permissions. Which role may do what is tested for every operation. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { Role } from '../rules.ts';
import { hasPermission, requirePermission } from './permissions.ts';

testEvery<[Role, team: string | undefined, permission: string, desc: string | undefined]>([
  ['owner', undefined, 'platform.owner', undefined],
  ['owner', 'acme', 'owner', undefined],
  ['admin', undefined, 'platform.owner', 'Permission denied: the role owner is required.'],
  ['viewer', 'acme', 'admin', 'Permission denied: the role admin is required.'],
  ['owner', 'acme', 'platform.viewer', 'Permission denied: only users of the platform may do this.'],
])('%s of %s, where %s is needed', (role, teamId, permission, desc) => {
  const call = () => requirePermission({ role, teamId }, permission);
  expect(hasPermission({ role, teamId }, permission)).toBe(desc === undefined);
  if (desc === undefined) expect(call).not.toThrow();
  else expect(call).toThrow(expect.objectContaining({ status: 403, desc }));
});
