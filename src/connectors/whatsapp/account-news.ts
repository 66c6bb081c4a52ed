/** Reads what Meta says of an account: bans, restrictions, and the quality of its numbers and templates. */
import type { NetworkNotice } from '../contract/inbound.ts';
import { type Json, listOf, objectOf, textOf } from './template-definition.ts';

export interface AccountNews {
  notices: NetworkNotice[];
  /** Why nothing more may be sent. */
  pause?: string;
}

/** What needs nobody, such as a verification, is no news. */
export function accountNewsOf(value: Json): AccountNews {
  const { event, ban_info, violation_info, restriction_info } = value;
  if (event === 'DISABLED_UPDATE') return banNewsOf(objectOf(ban_info));
  if (event === 'ACCOUNT_VIOLATION') {
    const type = textOf(objectOf(violation_info).violation_type) ?? 'unknown';
    return { notices: [{ about: 'violation', says: `The account violated a policy: ${type}` }] };
  }
  if (event !== 'ACCOUNT_RESTRICTION') return { notices: [] };
  return {
    notices: listOf(restriction_info).map(({ restriction_type, expiration }) => {
      const type = textOf(restriction_type) ?? 'unknown';
      const until = timeOf(expiration);
      const end = until === undefined ? '' : ` until ${until.toISOString()}`;
      return { about: `restriction ${type}`, says: `The account is restricted${end}: ${type}`, until };
    }),
  };
}

/** The state is a text, or a list with it. */
function banNewsOf({ waba_ban_state, waba_ban_date }: Json): AccountNews {
  const states: unknown[] = Array.isArray(waba_ban_state) ? waba_ban_state : [waba_ban_state];
  const on = textOf(waba_ban_date);
  if (states.includes('DISABLE'))
    return { notices: [], pause: `Meta disabled the account${on === undefined ? '' : ` on ${on}`}` };
  if (states.includes('SCHEDULE_FOR_DISABLE'))
    return {
      notices: [
        { about: 'ban', says: `Meta will disable the account${on === undefined ? '' : ` on ${on}`}` },
      ],
    };
  return { notices: states.includes('REINSTATE') ? [{ about: 'ban', says: undefined }] : [] };
}

export function phoneQualityOf({ display_phone_number, event }: Json): NetworkNotice[] {
  const number = textOf(display_phone_number);
  if (number === undefined) return [];
  const about = `number ${number}`;
  if (event === 'FLAGGED') return [{ about, says: `The quality of ${number} is low` }];
  return event === 'UNFLAGGED' ? [{ about, says: undefined }] : [];
}

const lowScores: ReadonlyMap<unknown, string> = new Map([
  ['YELLOW', 'medium'],
  ['RED', 'low'],
]);

export function templateQualityOf(value: Json): NetworkNotice[] {
  const { message_template_name, message_template_language, new_quality_score } = value;
  const [name, language] = [textOf(message_template_name), textOf(message_template_language)];
  if (name === undefined || language === undefined) return [];
  const low = lowScores.get(new_quality_score);
  const says = low === undefined ? undefined : `The quality of the template ${name} (${language}) is ${low}`;
  return [{ about: `template ${name} ${language}`, says }];
}

/** Seconds since 1970. */
function timeOf(seconds: unknown): Date | undefined {
  return typeof seconds === 'number' && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : undefined;
}
