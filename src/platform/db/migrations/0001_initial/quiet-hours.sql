-- When promotional messages may be delivered, by country. No legal advice.

create table quiet_hours (
  -- ISO 3166-1 alpha-2.
  country text primary key check (country ~ '^[A-Z]{2}$'),
  enabled boolean not null default false,
  -- Local time, such as 08:00-20:00, at quarters of an hour; null: none that day.
  monday_to_friday text,
  saturday text,
  sunday text,
  -- Dates on which nothing is delivered.
  holidays jsonb not null default '[]',
  -- Where the times are from.
  source text not null default ''
);

-- Collected on 2026-11-22. Holidays: see holidays.sql.
insert into quiet_hours (country, monday_to_friday, saturday, sunday, source) values
  ('FR', '08:00-20:00', '08:00-20:00', null, 'Yotpo and Callr help: 8 to 20 h, no Sundays or public holidays; some sources say 22 h'),
  ('KE', '08:00-18:00', '08:00-18:00', '08:00-18:00', 'Safaricom delivers promotional messages from 8 to 18 h (support.uwaziimobile.com)'),
  ('NG', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'Not from 20 to 8 h (status.africastalking.com, incident 538)'),
  ('TZ', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'No rule found; 8 to 20 h is advised (sent.dm)'),
  ('UG', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'No rule found; 8 to 20 h is advised (sent.dm)'),
  ('US', '08:00-21:00', '08:00-21:00', '08:00-21:00', 'TCPA: 8 to 21 h of the recipient; some states are stricter'),
  ('ZA', '08:00-20:00', '09:00-13:00', null, 'Consumer Protection Act, regulation R293: no Sundays or public holidays');
