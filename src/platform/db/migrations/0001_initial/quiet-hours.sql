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

-- Collected on 2026-11-22. Public holidays of 2026 to 2028 from date-holidays 3.37 (CC BY).
insert into quiet_hours (country, monday_to_friday, saturday, sunday, source, holidays) values
  ('FR', '08:00-20:00', '08:00-20:00', null, 'Yotpo and Callr help: 8 to 20 h, no Sundays or public holidays; some sources say 22 h',
   '["2026-01-01", "2026-04-06", "2026-05-01", "2026-05-08", "2026-05-14", "2026-05-25", "2026-07-14",
    "2026-08-15", "2026-11-01", "2026-11-11", "2026-12-25", "2027-01-01", "2027-03-29", "2027-05-01",
    "2027-05-06", "2027-05-08", "2027-05-17", "2027-07-14", "2027-08-15", "2027-11-01", "2027-11-11",
    "2027-12-25", "2028-01-01", "2028-04-17", "2028-05-01", "2028-05-08", "2028-05-25", "2028-06-05",
    "2028-07-14", "2028-08-15", "2028-11-01", "2028-11-11", "2028-12-25"]'),
  ('KE', '08:00-18:00', '08:00-18:00', '08:00-18:00', 'Safaricom delivers promotional messages from 8 to 18 h (support.uwaziimobile.com)',
   '[]'),
  ('NG', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'Not from 20 to 8 h (status.africastalking.com, incident 538)',
   '[]'),
  ('TZ', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'No rule found; 8 to 20 h is advised (sent.dm)',
   '[]'),
  ('UG', '08:00-20:00', '08:00-20:00', '08:00-20:00', 'No rule found; 8 to 20 h is advised (sent.dm)',
   '[]'),
  ('US', '08:00-21:00', '08:00-21:00', '08:00-21:00', 'TCPA: 8 to 21 h of the recipient; some states are stricter',
   '[]'),
  ('ZA', '08:00-20:00', '09:00-13:00', null, 'Consumer Protection Act, regulation R293: no Sundays or public holidays',
   '["2026-01-01", "2026-03-21", "2026-04-03", "2026-04-06", "2026-04-27", "2026-05-01", "2026-06-16",
    "2026-08-09", "2026-08-10", "2026-09-24", "2026-12-16", "2026-12-25", "2026-12-26", "2027-01-01",
    "2027-03-21", "2027-03-22", "2027-03-26", "2027-03-29", "2027-04-27", "2027-05-01", "2027-06-16",
    "2027-08-09", "2027-09-24", "2027-12-16", "2027-12-25", "2027-12-26", "2027-12-27", "2028-01-01",
    "2028-03-21", "2028-04-14", "2028-04-17", "2028-04-27", "2028-05-01", "2028-06-16", "2028-08-09",
    "2028-09-24", "2028-09-25", "2028-12-16", "2028-12-25", "2028-12-26"]');
