/** Reads what a person sent in a chat app, of any type that the Cloud API knows. */

import { createHash } from 'node:crypto';
import { own } from '../../platform/text/own.ts';
import type { PhoneContent, PhoneMessage, PhonePreference } from '../contract/phone-message.ts';
import { type Json, objectOf, textOf } from './template-definition.ts';

/** `metadata`: of the number that it was sent to. Nothing for a message that does not say who sent it. */
export function messageOf(message: Json, metadata: Json): PhoneMessage[] {
  const from = textOf(message.from);
  if (from === undefined) return [];
  const id = textOf(message.id) ?? createHash('sha256').update(JSON.stringify(message)).digest('base64url');
  return [
    {
      from,
      ...senderOf(metadata),
      identity: id,
      repeatedWithinSeconds: null,
      body: { content: contentOf(message) },
    },
  ];
}

/** What a person set under "Offers and announcements"; nothing for other settings. */
export function preferenceOf(preference: Json, metadata: Json): Omit<PhonePreference, 'occurredAt'>[] {
  const from = textOf(preference.wa_id);
  const { category, value } = preference;
  if (from === undefined || category !== 'marketing_messages') return [];
  if (value !== 'stop' && value !== 'resume') return [];
  return [{ from, ...senderOf(metadata), marketing: value === 'resume' }];
}

function senderOf(metadata: Json): Pick<PhoneMessage, 'to' | 'toId'> {
  return {
    // People write it with spaces and signs.
    to: (textOf(metadata.display_phone_number) ?? '').replaceAll(/[^0-9]/g, ''),
    toId: textOf(metadata.phone_number_id),
  };
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
