/** What regulators want to know of an SMS: which of it a message has, and the rule that channels get what they need. */
import type { Registrations } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import type { ChannelTable } from '../phone/channels.ts';
import { type Grant, type Sent, useFor } from './sender.ts';

type Values = Readonly<Record<string, string>>;

/** Undefined: there are none. `grant`: what the team was given of the sender. */
export function registrationsOf(
  template: { registrations: Values } | undefined,
  grant: Pick<Grant, 'uses'> | undefined,
): Registrations | undefined {
  const ofText = template?.registrations ?? {};
  const uses = (grant?.uses ?? []).map(({ channel, country, registrations }) => ({
    ...(channel === undefined ? {} : { channel }),
    ...(country === undefined ? {} : { country }),
    ...(registrations === undefined ? {} : { registrations }),
  }));
  const hasAny =
    Object.keys(ofText).length > 0 || uses.some(({ registrations }) => registrations !== undefined);
  return hasAny ? { template: ofText, uses } : undefined;
}

/** Those of one message, by name: what is known of its text goes before what is known of its sender. */
export function valuesFor(registrations: Registrations | null | undefined, message: Sent): Values {
  if (!registrations) return {};
  return { ...useFor(registrations.uses, message)?.registrations, ...registrations.template };
}

/** Throws for messages whose channels need what neither the template nor the sender has. */
export function requireRegistrations(
  messages: readonly Sent[],
  registrations: Registrations | undefined,
  { named }: Pick<ChannelTable, 'named'>,
  { sender, templateId }: { sender: string; templateId?: string | undefined },
): void {
  const missing = new Map<string, Set<string>>();
  for (const message of messages) {
    const needed = named(message.channel)?.requiredRegistrations ?? [];
    if (needed.length === 0) continue;
    const has = valuesFor(registrations, message);
    for (const name of needed)
      if (own(has, name) === undefined)
        missing.set(message.channel, (missing.get(message.channel) ?? new Set()).add(name));
  }
  if (missing.size === 0) return;
  throw errors.registrationsMissing(
    [...missing].map(([channel, names]) => `${channel} needs ${[...names].join(', ')}`),
    templateId === undefined
      ? `sender ${sender}, or send a message template that has them`
      : `message template ${templateId} or to sender ${sender}`,
  );
}
