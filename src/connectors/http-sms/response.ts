/** Says what a provider's response to a message means. */
import type { NetworkState } from '../../model/states.ts';
import { own } from '../../platform/text/own.ts';
import type { Exchanged } from '../http/exchange.ts';
import { firstAt, valueAt } from '../http/fields.ts';
import type { HttpSmsSettings } from './settings.ts';

export type Answered = Extract<Exchanged, { kind: 'answered' }>;

export type Verdict =
  | { kind: 'accepted'; id: string | undefined; segments: number | undefined }
  | { kind: 'refused'; state: NetworkState; reason: string; code: string }
  /** It does not have the message, and may take it later. */
  | { kind: 'again'; code: string }
  | { kind: 'throttled' }
  /** It takes nothing until somebody does something about it. */
  | { kind: 'pause'; reason: string }
  /** The provider is away, or a gateway in front of it says so. */
  | { kind: 'away' }
  /** It may have the message. */
  | { kind: 'doubt' };

type Settings = Pick<HttpSmsSettings, 'names' | 'codes' | 'responseFormat'>;

/** One for each part that the response lists, and at least one. */
export function verdictsOf(answered: Answered, settings: Settings): [Verdict, ...Verdict[]] {
  const document = settings.responseFormat === 'text' ? linesOf(answered.text) : answered.body;
  const { list } = settings.names.response;
  const parts = list === '' ? undefined : valueAt(document, list);
  const [first = document, ...others] = Array.isArray(parts) ? parts : [document];
  return [verdictOf(answered, first, settings), ...others.map((part) => verdictOf(answered, part, settings))];
}

/** They say that the account, or the path, is wrong. */
const accountStatuses = new Set([401, 402, 404, 405]);

function verdictOf({ status }: Answered, part: unknown, { names, codes }: Settings): Verdict {
  const { response } = names;
  const code = firstAt(part, response.code);
  const reason = firstAt(part, response.reason);
  const id = firstAt(part, response.id);
  const accepted: Verdict = { kind: 'accepted', id, segments: wholeOf(firstAt(part, response.segments)) };
  // What `*` says of other codes is about messages, not about the account, the pace or the server.
  const isAboutAll = status === 401 || status === 429 || status >= 500;
  const meaning = own(codes, code) ?? (code === undefined || isAboutAll ? undefined : own(codes, '*'));
  const words = [code ?? `HTTP ${status}`, ...(reason === undefined || reason === code ? [] : [reason])];
  const refused = (state: NetworkState): Verdict => ({
    kind: 'refused',
    state,
    reason: reason ?? 'The provider refused the message',
    code: code ?? `HTTP ${status}`,
  });
  if (meaning === 'accepted') return status < 300 ? accepted : refused('Failed');
  if (meaning === 'again') return { kind: 'again', code: words[0] ?? '' };
  if (meaning === 'throttled') return { kind: 'throttled' };
  if (meaning === 'pause') return { kind: 'pause', reason: `The provider says ${words.join(': ')}` };
  if (meaning !== undefined) return refused(meaning);
  if (status === 429) return { kind: 'throttled' };
  if (status === 502 || status === 503) return { kind: 'away' };
  if (status >= 500 || status === 408) return { kind: 'doubt' };
  if (status < 300) {
    const isSilent = response.id === '' && response.code === '';
    return id !== undefined || code !== undefined || isSilent ? accepted : { kind: 'doubt' };
  }
  if (status < 400 || accountStatuses.has(status) || (status === 403 && code === undefined))
    return { kind: 'pause', reason: `The provider answers ${status}` };
  return refused('Failed');
}

/** Such as `0: Accepted for delivery`. */
function linesOf(text: string): object {
  const [line = ''] = text.trim().split('\n', 1);
  const [, code] = /^([\w-]{1,64}):/.exec(line) ?? [];
  return code === undefined ? { reason: text.trim() } : { code, reason: line.slice(code.length + 1).trim() };
}

function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined;
}
