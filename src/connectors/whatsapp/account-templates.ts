/** Reads the message templates of a WhatsApp Business Account, page by page. */
import type { Clock } from '../../platform/clock.ts';
import type { AccountTemplate, AccountTemplates } from '../contract/account-template.ts';
import { createProviderClient, type Exchanged, unansweredWords } from '../http/exchange.ts';
import type { WhatsAppSettings } from './settings.ts';
import { accountTemplateOf, type Json, listOf, objectOf, textOf } from './template-definition.ts';
import { faultOf } from './webhook.ts';

const fields = 'name,language,status,category,components,rejected_reason';
/** Carousels are long: this many stay well below the limit of a response. */
const pageSize = 25;
/** An account has at most 6,000 templates, each in some languages. */
const mostPages = 1_000;

export async function readAccountTemplates(
  settings: WhatsAppSettings,
  token: string,
  clock: Clock,
): Promise<AccountTemplates> {
  const { baseUrl, timeoutSeconds, version, businessAccountId } = settings;
  if (businessAccountId === undefined) return { problem: 'the setting businessAccountId is missing' };
  const client = createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock });
  const templates: AccountTemplate[] = [];
  try {
    let after: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const cursor = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
      const answer = await client.exchange({
        method: 'GET',
        path: `/${version}/${businessAccountId}/message_templates?fields=${fields}&limit=${pageSize}${cursor}`,
        headers: { Authorization: `Bearer ${token}` },
      });
      const problem = problemOf(answer);
      if (problem !== undefined) return { problem };
      const body = objectOf('body' in answer ? answer.body : undefined);
      templates.push(...listOf(body.data).flatMap(accountTemplateOf));
      after = nextOf(objectOf(body.paging));
      if (after === undefined) return { templates };
    }
    return { problem: 'WhatsApp returned more pages than an account can have' };
  } finally {
    await client.close();
  }
}

/** `next` is there only if another page is. */
function nextOf(paging: Json): string | undefined {
  return textOf(paging.next) && textOf(objectOf(paging.cursors).after);
}

function problemOf(answer: Exchanged): string | undefined {
  if (answer.kind !== 'answered') return unansweredWords(answer);
  return wordsOfRefusal(answer);
}

/** What a response rejected; undefined if it rejected nothing. */
export function wordsOfRefusal({
  status,
  body,
}: Extract<Exchanged, { kind: 'answered' }>): string | undefined {
  if (status < 300) return undefined;
  const { error } = objectOf(body);
  return `WhatsApp responded ${status}${error === undefined ? '' : `: ${faultOf(objectOf(error)).reason}`}`;
}
