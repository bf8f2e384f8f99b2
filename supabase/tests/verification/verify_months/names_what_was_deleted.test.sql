begin;
\ir ../../support/fixture.psql
select plan(5);

alter table app.closed_months disable trigger closed_months_are_never_changed;
alter table app.month_seals disable trigger seals_are_never_changed;
create function pg_temp.verdict() returns text language sql as $$
  select v.severity || ': ' || v.message from app.verify_months() as v
$$;
select is(pg_temp.verdict(), 'ok: no closed month and no seal is missing', 'a store without closed months has them all');
select app.close_month(to_char(m.month, 'YYYY-MM'), null)
from generate_series('2025-01-01'::date, '2025-04-01', '1 month') as m (month) order by m.month;
insert into app.month_seals (month, row_count, root, public_key, signature, sealed_at)
select c.month, 0, sha256(''), sha256(''), sha256('') || sha256(''), now() from app.closed_months as c
where c.month < '2025-04-01';
select is(pg_temp.verdict(), 'ok: no closed month and no seal is missing', 'the last month may wait for its seal');
delete from app.month_seals where month = '2025-02-01';
select is(pg_temp.verdict(), 'error: missing: the seal of 2025-02', 'a seal that is gone');
delete from app.closed_months where month = '2025-02-01';
select is(pg_temp.verdict(), 'error: missing: the record of 2025-02', 'a month that went together with its seal');
select matches(
  (select v.hint from app.verify_settings() as v where v.check_id = 'closed_months_are_complete'),
  'npm run verify:seal -- --list', 'the configuration check says what to do'
);

select * from finish();
rollback;
