/** What each role may do, for the platform and for a team. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Role, roles } from '../rules.ts';
import { hasPermission, requirePermission } from './permissions.ts';

const mayDo: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['owner', 'admin', 'reviewer', 'viewer'],
  reviewer: ['owner', 'reviewer'],
  admin: ['owner', 'admin'],
  owner: ['owner'],
};
const cases = roles.flatMap((role) =>
  roles.flatMap((needed) =>
    [undefined, 'acme'].flatMap((teamId) =>
      [needed, `platform.${needed}`].map((permission) => ({ role, teamId, permission, needed })),
    ),
  ),
);

testEvery(cases)('$role of $teamId, where $permission is needed', ({ role, teamId, permission, needed }) => {
  const call = () => requirePermission({ role, teamId }, permission);
  const foreign = teamId !== undefined && permission !== needed;
  const passes = !foreign && mayDo[needed].includes(role);
  expect(hasPermission({ role, teamId }, permission)).toBe(passes);
  if (passes) expect(call).not.toThrow();
  else {
    const desc = foreign
      ? 'Permission denied: only users of the platform may do this.'
      : `Permission denied: the role ${needed} is required.`;
    expect(call).toThrow(expect.objectContaining({ status: 403, desc }));
  }
});
