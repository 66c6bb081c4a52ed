/** The refund of messages, as a part of the statement that moves them. */

/**
 * Common table expressions that pay back the rows of `moved` which meet `condition`: a ledger entry for each
 * message, and the sum to its account. Accounts are locked in the order in which those who accept lock them.
 */
export const refundOf = (condition: string) => `refunded as (
       insert into ledger_entries (account_id, units, reason, request_id, message_id)
       select account_id, units, 'Refund', request_id, id from moved where ${condition}
       returning account_id, units
     ), due as (
       select account_id as id, sum(units) as units from refunded group by account_id
     ), locked as (
       select id from accounts where id in (select id from due) order by id for update
     ), credited as (
       update accounts set balance = balance + due.units from locked join due using (id)
       where accounts.id = locked.id
     )`;
