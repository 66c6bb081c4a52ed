/** What each role may do, and who calls the management API. */
import { errors } from '../../platform/errors.ts';
import type { Role } from '../rules.ts';

/** Who makes an authenticated request: a user, or the command line on the service's own database. */
export interface Operator {
  kind: 'user' | 'command line';
  userId: string;
  /** Undefined: a user of the platform. */
  teamId: string | undefined;
  role: Role;
}

/** The permissions of each role: its own and those that it includes. */
const included: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'reviewer', 'viewer'],
  admin: ['admin', 'viewer'],
  reviewer: ['reviewer', 'viewer'],
  viewer: ['viewer'],
};

const ofPlatform = 'platform.';

/** `permission` is a role, or `platform.` and a role where users of teams may not call. Throws a 403. */
export function requirePermission(
  { role, teamId }: Pick<Operator, 'role' | 'teamId'>,
  permission: string,
): void {
  const { platformOnly, needed } = partsOf(permission);
  if (platformOnly && teamId !== undefined) throw errors.platformOnly();
  if (!includes(role, needed)) throw errors.missingRole(needed);
}

/** Whether `requirePermission` lets the operator pass. */
export function hasPermission(
  { role, teamId }: Pick<Operator, 'role' | 'teamId'>,
  permission: string,
): boolean {
  const { platformOnly, needed } = partsOf(permission);
  return !(platformOnly && teamId !== undefined) && includes(role, needed);
}

function partsOf(permission: string): { platformOnly: boolean; needed: string } {
  const platformOnly = permission.startsWith(ofPlatform);
  return { platformOnly, needed: platformOnly ? permission.slice(ofPlatform.length) : permission };
}

const includes = (role: Role, needed: string) => included[role].some((one) => one === needed);
