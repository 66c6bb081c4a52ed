/** The processes that own receipts: each proves that it is alive, and receipts of a dead one can be claimed by all. */
import type { Knex } from 'knex';

/** How often a process has shown itself. */
export interface Beats {
  id: string;
  beats: number;
}

export interface OwnerRepository {
  /** Shows this process; returns all others. */
  beat: () => Promise<Beats[]>;
  /** Takes processes off the list that have not shown themselves since they had `beats`. */
  forget: (gone: readonly Beats[]) => Promise<void>;
  /** Makes the receipts of owners that are not on the list free to be claimed. Reads one row for each owner. */
  releaseOrphans: () => Promise<void>;
  /** Takes this process off the list, and gives back what it has. */
  leave: () => Promise<void>;
}

export function createOwnerRepository(knex: Knex, owner: string): OwnerRepository {
  return {
    beat: async () => {
      const { rows } = await knex.raw<{ rows: Beats[] }>(
        `with own as (
           insert into receipt_posters as p (id, beats) values (:owner, 1)
           on conflict (id) do update set beats = p.beats + 1
         )
         select id, beats from receipt_posters where id <> :owner`,
        { owner },
      );
      return rows;
    },

    forget: async (gone) => {
      await knex.raw(
        `delete from receipt_posters p using json_to_recordset(?::json) as gone(id uuid, beats integer)
         where p.id = gone.id and p.beats = gone.beats`,
        [JSON.stringify(gone)],
      );
    },

    releaseOrphans: async () => {
      await knex.raw(
        `with recursive owners as (
           (select owner from receipts where owner is not null order by owner limit 1)
           union all
           select (select r.owner from receipts r where r.owner > owners.owner order by r.owner limit 1)
           from owners where owners.owner is not null
         )
         update receipts set owner = null where id = any(array(
           select id from receipts
           where owner = any(array(select owner from owners where owner not in (select id from receipt_posters)))
           order by id for update
         ))`,
      );
    },

    leave: async () => {
      await knex.raw('delete from receipt_posters where id = ?', [owner]);
      await knex.raw(
        `update receipts set owner = null
         where id = any(array(select id from receipts where owner = ? order by id for update))`,
        [owner],
      );
    },
  };
}
