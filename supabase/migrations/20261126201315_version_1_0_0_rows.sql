-- Generated from sql/ by `npm run migration:fold`; do not edit.
-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

insert into app.event_types (type, version, subject, keys, title, title_zh, description) values
  ('name.checked', '1', 'member', '{}', 'Real name checked', '实名认证通过', 'An administrator or the provider found the real name of the member right.'),
  ('name.refused', '1', 'member', '{}', 'Real name refused', '实名认证未通过', 'An administrator or the provider refused the real name of the member.')
on conflict do nothing;

insert into app.scheduled_jobs (name, title, title_zh, command, schedule, preset, is_active, changed_by) values
  ('compact_due_months', 'Compaction of releases of sealed months', '压缩已封存月份的释放记录', 'call app.compact_due_months()', '15 4 * * *', '15 4 * * *', 'false', NULL)
on conflict do nothing;

select app.apply_schedule();

insert into app.schema_versions (version) values
  ('1.0.0')
on conflict do nothing;
