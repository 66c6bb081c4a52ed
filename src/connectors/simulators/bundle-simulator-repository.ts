/** Counts how often the simulated provider provisioned each reference. */
import type { Knex } from 'knex';

/** What the provider gave out, by our references. Outlives the process, as a real provider's books would. */
export interface ProvisionBook {
  /** Enters one more provision of each; durable when it resolves. */
  enter: (references: readonly string[]) => Promise<void>;
  /** Those that were provisioned. */
  find: (references: readonly string[]) => Promise<ReadonlySet<string>>;
}

export function createProvisionBook(knex: Knex): ProvisionBook {
  return {
    enter: async (references) => {
      if (references.length === 0) return;
      await knex.raw(
        `insert into simulated_bundles as b (reference, times) select unnest(?::text[]), 1
         on conflict (reference) do update set times = b.times + 1`,
        [[...references]],
      );
    },
    find: async (references) => {
      const { rows } = await knex.raw<{ rows: { reference: string }[] }>(
        'select reference from simulated_bundles where reference = any(?::text[])',
        [[...references]],
      );
      return new Set(rows.map(({ reference }) => reference));
    },
  };
}
