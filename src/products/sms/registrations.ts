/** The rule for registrations: what a regulator wants to know of a sender and its texts before a network takes them. */
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import type { ChannelTable } from '../phone/channels.ts';

/** Their values by name, such as `entityId`. */
export type Registrations = Readonly<Record<string, string>>;

/** Those of one request, with what brings them. */
export interface Registered {
  serviceId: string;
  service: { registrations: Registrations };
  templateId?: string | undefined;
  template?: { registrations: Registrations } | undefined;
}

/** Throws for recipients whose channels need registrations that neither the template nor the service has. */
export function requireRegistrations(
  recipients: readonly { phone: string; channel: string }[],
  { find }: Pick<ChannelTable, 'find'>,
  { serviceId, service, templateId, template }: Registered,
): void {
  const has = { ...service.registrations, ...template?.registrations };
  const missing = new Map<string, readonly string[]>();
  for (const { phone, channel } of recipients)
    if (!missing.has(channel)) {
      const needed = find(phone)?.requiredRegistrations ?? [];
      missing.set(
        channel,
        needed.filter((name) => own(has, name) === undefined),
      );
    }
  const sentences = [...missing].flatMap(([channel, names]) =>
    names.length === 0 ? [] : [`${channel} needs ${names.join(', ')}`],
  );
  if (sentences.length === 0) return;
  throw errors.registrationsMissing(
    sentences,
    templateId === undefined
      ? `service ${serviceId}, or send a message template that has them`
      : `message template ${templateId} or to service ${serviceId}`,
  );
}
