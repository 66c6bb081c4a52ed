/** Reads what a person sent in a chat app, of any type that the Cloud API knows. */

import { own } from '../../platform/text/own.ts';
import type {
  PhoneContent,
  PhoneIdentity,
  PhoneMessage,
  PhonePreference,
} from '../contract/phone-message.ts';
import { hashOf, unreadable } from '../contract/unreadable.ts';
import { isObject, type Json, objectOf, textOf } from './template-definition.ts';

/** `metadata`: of the number that it was sent to. Since people have user names, some messages lack the number of who sent them. */
export function messageOf(message: unknown, metadata: Json): PhoneMessage {
  if (!isObject(message)) return unreadable('Message', 'Malformed', message, senderOf(metadata));
  return {
    from: textOf(message.from),
    userId: textOf(message.from_user_id),
    ...senderOf(metadata),
    identity: textOf(message.id) ?? hashOf(message),
    repeatedWithinSeconds: null,
    body: { content: contentOf(message) },
  };
}

/** What a person set under "Offers and announcements". */
export function preferenceOf(
  preference: unknown,
  metadata: Json,
): Omit<PhonePreference, 'occurredAt'> | PhoneMessage {
  if (!isObject(preference)) return unreadable('Preference', 'Malformed', preference, senderOf(metadata));
  const { category, value } = preference;
  const who = { from: textOf(preference.wa_id), userId: textOf(preference.user_id) };
  if (category !== 'marketing_messages' || (value !== 'stop' && value !== 'resume'))
    return unreadable('Preference', 'Unknown', preference, { ...who, ...senderOf(metadata) });
  return { ...who, ...senderOf(metadata), marketing: value === 'resume' };
}

/** The person who has all these names; none if there is only one. */
export function identityOf(said: readonly unknown[], isChange = false): PhoneIdentity[] {
  const names = said.flatMap((one) => textOf(one) ?? []);
  return names.length < 2 ? [] : [{ names, ...(isChange ? { isChange } : {}) }];
}

export function senderOf(metadata: Json): Pick<PhoneMessage, 'to' | 'toId'> {
  return {
    // People write it with spaces and signs.
    to: (textOf(metadata.display_phone_number) ?? '').replaceAll(/[^0-9]/g, ''),
    toId: textOf(metadata.phone_number_id),
  };
}

const changes: ReadonlySet<unknown> = new Set(['user_changed_number', 'user_changed_user_id']);

/** The network says that a person has another number or id from now on; they wrote nothing. */
export const isChange = ({ type, system }: Json) => type === 'system' && changes.has(objectOf(system).type);

/** What the person is called now, and was called before. */
export function changedNames(message: Json): unknown[] {
  if (!isChange(message)) return [];
  const { wa_id, user_id, parent_user_id, previous_user_id, previous_parent_user_id } = objectOf(
    message.system,
  );
  return [previous_user_id, user_id, wa_id, previous_parent_user_id, parent_user_id];
}

const none: PhoneContent = { kind: 'other', text: '' };

function contentOf(message: Json): PhoneContent {
  const { type } = message;
  const content = objectOf(typeof type === 'string' ? own(message, type) : undefined);
  const media = textOf(content.id);
  if (type === 'text') return { kind: 'text', text: textOf(content.body) ?? '' };
  if (type === 'button') return { kind: 'button', text: textOf(content.text) ?? '' };
  if (type === 'interactive') {
    const reply = objectOf(content.button_reply ?? content.list_reply);
    return { kind: 'button', text: textOf(reply.title) ?? '' };
  }
  const mimeType = textOf(content.mime_type);
  if (media === undefined || mimeType === undefined) return none;
  return { kind: 'media', text: textOf(content.caption) ?? '', media: { id: media, mimeType } };
}
