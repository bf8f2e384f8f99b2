begin;
\ir ../../support/fixture.psql
select plan(7);

create function pg_temp.code(
  p_phone text, p_address text, p_at timestamptz default '2026-03-01'
) returns text language plpgsql as $$
begin
  perform app.count_code(p_phone, p_address, p_at);
  return 'counted';
exception when sqlstate 'PT429' then
  return sqlerrm;
end $$;

select is(
  array(select pg_temp.code('8613800000001', null) from generate_series(1, 6)),
  array['counted', 'counted', 'counted', 'counted', 'counted', 'too_many_requests'], 'five codes an hour for a number'
);
select is(pg_temp.code('8613800000001', null, '2026-03-01 00:59:59'), 'too_many_requests', 'to the end of the hour');
select is(pg_temp.code('8613800000001', null, '2026-03-01 01:00:00'), 'counted', 'then again');
select is(
  array(
    select r
    from (
      select n, pg_temp.code('86139' || lpad(n::text, 8, '0'), '192.0.2.1') as r from generate_series(1, 31) as n
    ) as c
    where r <> 'counted'
  ),
  array['too_many_requests'], 'thirty codes an hour for an address, whatever the numbers'
);
select is(pg_temp.code('8613800000099', '192.0.2.2'), 'counted', 'another address counts by itself');
select is_empty(
  $$ select c.what from app.hourly_counts as c
  where c.what = sha256(convert_to('phone 8613900000031', 'UTF8')) $$, 'what is refused counts for nobody else'
);
select pg_temp.code('8613800000002', null, '2026-03-01 02:30:00');
select is((select count(*) from app.hourly_counts), 1::bigint, 'counts of earlier hours are deleted');

select * from finish();
rollback;
