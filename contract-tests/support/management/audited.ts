/** What an entry of the audit log must say about a write, whoever made it. */
import { expect } from '@jest/globals';
import type { Knex } from 'knex';

export interface StoredEntry {
  id: string;
  at: Date;
  actor_kind: string;
  actor_name: string;
  action: string;
  noun: string;
  noun_id: string;
  before: object | null;
  after: object | null;
}

export async function entriesOf(knex: Knex, actorName: string): Promise<StoredEntry[]> {
  return knex('audit_log').where({ actor_name: actorName }).orderBy('id');
}

/** Who, when, what, and how it was before and after. `secrets` appear nowhere in it. */
export function expectComplete(
  entry: StoredEntry,
  actor: { kind: string; name: string },
  secrets: string[],
): void {
  const { id: _id, at, before, after, ...rest } = entry;
  expect(rest).toMatchObject({
    actor_kind: actor.kind,
    actor_name: actor.name,
    action: expect.stringMatching(/^[a-z -]+$/),
    noun: expect.stringMatching(/^[a-z -]+$/),
    noun_id: expect.stringMatching(/./),
  });
  expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000);
  if (before === null && after === null) throw new Error(`the entry of ${entry.action} shows nothing`);
  const shown = JSON.stringify([before, after]);
  for (const secret of secrets) expect(shown).not.toContain(secret);
}
