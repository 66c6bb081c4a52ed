/** Mistakes that are put into a copy of the service, to see that the faults find them. */

export interface Bug {
  name: string;
  /** Where, and what is written there instead. */
  changes: { file: string; from: string; to: string }[];
}

export const bugs: Bug[] = [
  {
    name: 'what could not be stored is called stored',
    changes: [
      {
        file: 'src/connectors/smpp/sending/submit.ts',
        from: '...(only.stored ? { stored: true } : {})',
        to: 'stored: true',
      },
    ],
  },
  {
    name: 'the lease begins when the claim is answered, and nothing fences bundles',
    changes: [
      {
        file: 'src/queue/claim-deliveries.ts',
        from: 'map((job) => ({ ...job, leaseEndsMs }))',
        to: 'map((job) => ({ ...job, leaseEndsMs: Math.max(leaseEndsMs, leaseFromNowMs()) }))',
      },
      {
        file: 'src/delivery/repository.ts',
        from: 'and jobs.claims = lease.claims and claimed returning 1',
        to: 'and claimed returning 1',
      },
    ],
  },
  {
    name: 'an SMSC gets what waited for a statement, whatever is left of the lease',
    changes: [
      {
        file: 'src/connectors/smpp/sending/submit.ts',
        from: 'Math.min(sendingMs, leftMs() - answeringMs)',
        to: 'sendingMs',
      },
    ],
  },
  {
    name: 'jobs are not released when their work fails',
    changes: [
      {
        file: 'src/delivery/deliver.ts',
        from: '    await queue.release(jobs);\n    throw error;',
        to: '    throw error;',
      },
    ],
  },
  {
    // Found on PostgreSQL only (DATABASE_URL): an embedded database that starts ends all leases.
    name: 'a receipt that its process left in a lot is never due again',
    changes: [
      {
        file: 'src/receipts/posting/lot-repository.ts',
        from: "service_clock() + $3 * interval '1 second'",
        to: "service_clock() + $3 * interval '1 year'",
      },
    ],
  },
  {
    name: 'refunds are paid outside of their transaction',
    changes: [
      {
        file: 'src/receipts/record.ts',
        from: 'await payRefunds(trx, refunds);',
        to: 'await payRefunds((globalThis as { outside?: never }).outside ?? trx, refunds);',
      },
      {
        file: 'src/delivery/deliver.ts',
        from: '  const { knex, queue, events } = dependencies;\n',
        to: '  const { knex, queue, events } = dependencies;\n  Object.assign(globalThis, { outside: knex });\n',
      },
    ],
  },
  {
    name: 'jobs are completed whoever has claimed them',
    changes: [
      {
        file: 'src/queue/queue.ts',
        from: 'where jobs.id = lease.id and jobs.claims = lease.claims and claimed returning 1',
        to: 'where jobs.id = lease.id and claimed returning 1',
      },
    ],
  },
  {
    name: 'a report that could not be stored is acknowledged',
    changes: [
      {
        file: 'src/connectors/smpp/reports/incoming.ts',
        from: "'report not stored; the SMSC should send it again');\n        respond(statuses.systemError);",
        to: "'report not stored; the SMSC should send it again');\n        respond(statuses.ok);",
      },
    ],
  },
  {
    // Found on PostgreSQL only: the embedded database has one session.
    name: 'a cancel does not lock the jobs that it reads',
    changes: [
      {
        file: 'src/queue/unclaimed-repository.ts',
        from: 'order by id for update skip locked`',
        to: 'order by id`',
      },
    ],
  },
  {
    name: 'opt-outs are not looked at when a message is claimed',
    changes: [
      {
        file: 'src/delivery/hand-over.ts',
        from: 'await dependencies.findOptedOut(messages)',
        to: 'new Set<string>()',
      },
    ],
  },
  {
    name: 'quiet hours are not looked at when a message is claimed',
    changes: [
      {
        file: 'src/delivery/hand-over.ts',
        from: 'await dependencies.findOpenings(messages)',
        to: 'new Map<string, Date>()',
      },
    ],
  },
  {
    name: 'rows leave before the manifest is written',
    changes: [
      {
        file: 'src/archive/archiver.ts',
        from: '    await store.write(manifestName(number), Buffer.from(segment.text));\n',
        to: '',
      },
      {
        file: 'src/archive/archiver.ts',
        from: '    await removeRows(working, bytes);\n',
        to: '    await removeRows(working, bytes);\n    await store.write(manifestName(number), Buffer.from(segment.text));\n',
      },
    ],
  },
  {
    name: 'a text that a phone has sent before is a repetition, and so is its STOP',
    changes: [
      {
        file: 'src/inbound/message-repository.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in the file.
        from: 'identity is distinct from coalesce(before, (${lastOne}))',
        to: 'not exists (select from inbound_messages b where b.identity = m.identity)',
      },
    ],
  },
];
