/** Opt-outs as operators keep them: of one team or of all, one by one or from files. */
import { type ProductName, productOfName, products } from '../../model/products.ts';
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import {
  findImport,
  type ImportPlace,
  listImports,
  type NewImport,
  type OptOutImport,
  storePart,
} from '../../products/consent/import-repository.ts';
import type { OptOut, OptOutScope, OptOutTarget } from '../../products/consent/opt-out.ts';
import { hasService, listOptOuts } from '../../products/consent/opt-out-repository.ts';
import { audit } from '../audit.ts';
import type { Management, Page } from '../management.ts';
import { listedTeam, teamFaults } from '../resource.ts';
import { addOptOuts, type OptOutsChanged, removeOptOuts } from './opt-outs.ts';

/** As operators write it. Users of the platform who name no team mean all of them. */
export interface WrittenScope {
  product: 'Sms' | 'ChatApp';
  teamId?: string | undefined;
  serviceId?: string | undefined;
}

type Shown<Stored extends OptOutScope> = Omit<Stored, 'product'> & { product: ProductName };

const shown = <Stored extends OptOutScope>(stored: Stored): Shown<Stored> => ({
  ...stored,
  product: products[stored.product].name,
});

/** Newest first; continue with `after`, the id of the last entry of the page. */
export async function listed(
  management: Management,
  { team, phone, after, limit = 100 }: Page & { team?: string | undefined; phone?: string | undefined },
): Promise<Shown<OptOut>[]> {
  const teamId = await listedTeam(management, team);
  const phoneHash = phone === undefined ? undefined : (await management.secrets()).hashPhone(phone);
  return (await listOptOuts(management.knex, { teamId, phoneHash }, { after, limit })).map(shown);
}

export async function add(
  management: Management,
  { phones, target, ...scope }: WrittenScope & { phones: readonly string[]; target: OptOutTarget },
): Promise<OptOutsChanged> {
  const { hashPhone } = await management.secrets();
  const change = { ...(await scopeOf(management, scope)), phones, target, source: 'Operator' } as const;
  return addOptOuts({ ...management, hashPhone }, change);
}

export async function remove(
  management: Management,
  { phones, consent, ...scope }: WrittenScope & { phones: readonly string[]; consent: string },
): Promise<OptOutsChanged> {
  const { hashPhone } = await management.secrets();
  const change = { ...(await scopeOf(management, scope)), phones, consent };
  return removeOptOuts({ ...management, hashPhone }, change);
}

/** Takes a part of a file; the same part again changes nothing. */
export async function importPart(
  management: Management,
  {
    id,
    part = 1,
    lines,
    target,
    ...written
  }: WrittenScope & { id: string; part?: number | undefined; lines: string; target: OptOutTarget },
): Promise<Shown<OptOutImport>> {
  const scope = await scopeOf(management, written);
  const given: NewImport = { ...scope, id, target };
  await management.knex.transaction(async (trx) => {
    const outcome = await storePart(trx, given, part, lines);
    if (outcome === 'other') throw new ManagementError([faults.partTaken(id, part)]);
    await audit(trx, management, {
      action: 'import',
      noun: 'opt-out',
      id,
      team: scope.teamId,
      before: null,
      after: {
        product: written.product,
        serviceId: scope.serviceId,
        target,
        part,
        repeated: outcome === 'taken',
      },
    });
  });
  return showImport(management, id, scope.teamId ?? undefined);
}

/** By name. */
export async function listedImports(
  management: Management,
  { team, ...page }: { team?: string | undefined; after: ImportPlace | undefined; limit: number },
): Promise<Shown<OptOutImport>[]> {
  const teamId = await listedTeam(management, team);
  return (await listImports(management.knex, { teamId, ...page })).map(shown);
}

/** Throws if there is none. Users of the platform who name no team mean the platform's own. */
export async function showImport(
  management: Management,
  id: string,
  team: string | undefined,
): Promise<Shown<OptOutImport>> {
  const teamId = (await listedTeam(management, team)) ?? null;
  const found = await findImport(management.knex, { id, teamId });
  if (found === undefined) throw new ManagementError([faults.notFound('opt-out import', id)]);
  return shown(found);
}

/** Throws for a team or service that does not exist for the caller, and for a service of no team. */
async function scopeOf(
  management: Management,
  { product: name, teamId: wanted, serviceId: service }: WrittenScope,
): Promise<OptOutScope> {
  const product = productOfName[name] as OptOutScope['product'];
  const serviceId = service ?? null;
  const teamId = wanted ?? management.team ?? null;
  if (teamId !== null) requireNone(await teamFaults(management.knex, management, teamId));
  if (serviceId !== null) {
    if (teamId === null) throw new ManagementError([faults.notAllowedHere('serviceId', 'all teams')]);
    if (!(await hasService(management.knex, product, teamId, serviceId)))
      throw new ManagementError([faults.serviceOfTeam(teamId, serviceId)]);
  }
  return { product, teamId, serviceId };
}
