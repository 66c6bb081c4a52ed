/** What a field may name, where the reader can choose from a short list. */
import { takes } from '../../connectors/runtime/kinds.ts';
import { loadDocument, scopesOf } from '../../contract/document.ts';
import { referenceOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';

/** With more than these the name is typed. */
const mostChoices = 100;

interface Listed {
  id?: string;
  key?: string;
  name?: string;
  /** Of a connector. */
  kind?: string;
}

/** Only connectors that submit what goes through the field: senders are those of chat apps. */
function fits(kind: string, field: string, references: Readonly<Record<string, string>> = {}): boolean {
  if (field === 'bundleConnector') return takes(kind, 'data');
  if (field !== 'connector') return true;
  return takes(kind, references.serviceId === '/services/chat-app' ? 'chatapp' : 'sms');
}

/** By the names of the fields. `references`: the lists that this kind of resource names otherwise; `all`: also what could not be set. */
export async function choicesOf(
  names: readonly string[],
  page: Pick<PageContext, 'api' | 'may'>,
  {
    references,
    all = false,
  }: { references?: Readonly<Record<string, string>> | undefined; all?: boolean } = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = names.map(async (name): Promise<[string, readonly string[]][]> => {
    if (name === 'scopes') return [[name, scopesOf(loadDocument())]];
    const reference = referenceOf(name, page, references);
    if (reference === undefined || name === 'requestId') return [];
    const operation = page.api.operation(reference.list);
    const isPaged = operation.inputs.some((input) => input.name === 'limit');
    const { body } = await page.api.look(operation, isPaged ? { query: { limit: mostChoices } } : {});
    const { items, next } = body as { items: Listed[]; next?: string };
    const fitting = items.filter(({ kind }) => all || kind === undefined || fits(kind, name, references));
    return next === undefined ? [[name, fitting.map(({ id, key, name }) => id ?? key ?? name ?? '')]] : [];
  });
  return new Map((await Promise.all(found)).flat());
}
