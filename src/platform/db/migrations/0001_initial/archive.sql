-- What has left the database for its archive, segment by segment.

-- One row.
create table archive (
  id integer primary key default 1 check (id = 1),
  -- Names this database in its archive, so that no other one writes there.
  database uuid not null default gen_random_uuid(),
  -- Names the archive, which has both names too.
  store uuid not null default gen_random_uuid(),
  -- What a worker found to be wrong with the store that it has, and when.
  fault text,
  fault_at timestamptz,
  -- The process that archives, and until when nobody else does.
  holder uuid,
  held_until timestamptz not null default '-infinity',
  next_round_at timestamptz not null default '-infinity',
  -- When all that was due had left.
  caught_up_at timestamptz not null default service_now(),
  -- When rows that could not leave were last looked at again.
  rewound_at timestamptz not null default service_now()
);
insert into archive default values;

create table archive_segments (
  -- 1, 2, 3 and so on.
  number bigint primary key,
  file text not null,
  -- The text of its manifest, byte for byte.
  manifest text not null,
  teams text[] not null,
  -- The least and the greatest of its requests: ids are in the order of time. Null: it has none.
  first_request_id uuid,
  last_request_id uuid,
  created_at timestamptz not null default service_now(),
  -- When the first of its rows began to leave the database. Null: all are there, and it may be written again.
  leaving_at timestamptz,
  -- When its rows had left the database. Null: some may still be there.
  left_at timestamptz
);
create index archive_segments_of_requests on archive_segments (first_request_id, last_request_id);
create unique index archive_segments_leaving on archive_segments ((true)) where left_at is null;
