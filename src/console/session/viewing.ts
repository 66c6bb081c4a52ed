/** Lets a user of the platform see the console as a viewer of a team does. */
import type { Knex } from 'knex';
import { audit } from '../../manage/audit.ts';
import { teamFaults } from '../../manage/resource.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireNone } from '../../platform/errors/management.ts';
import { errors } from '../../platform/errors.ts';
import { setViewedTeam } from './repository.ts';
import { hashOf, type Session } from './sessions.ts';

export interface ViewingContext {
  knex: Knex;
  clock: Clock;
}

/** Rejects for users of a team, and for a team that does not exist. Teams find start and end in their audit log. */
export async function viewTeam(context: ViewingContext, session: Session, team: string): Promise<void> {
  if (session.user.teamId !== undefined) throw errors.platformOnly();
  requireNone(await teamFaults(context.knex, { team: undefined }, team));
  await change(context, session, team);
}

export async function stopViewing(context: ViewingContext, session: Session): Promise<void> {
  await change(context, session, undefined);
}

async function change(
  { knex, clock }: ViewingContext,
  { id, user, viewingTeam }: Session,
  team: string | undefined,
): Promise<void> {
  if (viewingTeam === team) return;
  const actor = { kind: 'user' as const, name: user.id };
  await knex.transaction(async (trx) => {
    const note = async (action: string, viewed: string | undefined) => {
      if (viewed === undefined) return;
      const change = { action, noun: 'team' as const, id: viewed, team: viewed, before: null, after: null };
      await audit(trx, { actor, clock }, change);
    };
    await setViewedTeam(trx, hashOf(id), team ?? null);
    await note('stop viewing', viewingTeam);
    await note('view', team);
  });
}
