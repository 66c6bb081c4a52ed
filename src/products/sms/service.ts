/** The type of an SMS service, and the rule for services of all products: owned by the team, and active. */
import type { Category } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import type { Grant } from './sender.ts';

export interface SmsService {
  id: string;
  sender: string;
  /** What its team was given of the sender; null: nothing. */
  grant: Grant | null;
  status: 'Active' | 'Inactive';
  /** The category of its free-form texts. */
  purpose: Category;
  /** Whether its promotional messages wait for quiet hours to end. */
  quietHours: boolean;
  /** Seconds its messages wait for their network at most; null: what the settings say. */
  validitySeconds: number | null;
}

/** Throws 404 for a service that the team does not have, 400 for one that is switched off. */
export function requireService<Service extends Pick<SmsService, 'status'>>(
  serviceId: string,
  service: Service | undefined,
): Service {
  if (service === undefined) throw errors.serviceUnknown(serviceId);
  if (service.status !== 'Active') throw errors.serviceNotActive(serviceId, service.status);
  return service;
}

/** SQL: the grant of a service `s`. Both keys have an index. */
export const grantOfService = `(select json_build_object('category', g.category, 'uses', coalesce(g.approved_uses, g.uses))
  from senders g where sender_key(g.sender) = sender_key(s.sender) and coalesce(g.team_id, '') = s.team_id)`;
