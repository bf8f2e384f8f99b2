begin;
\ir ../support/fixture.psql
select plan(5);

create function pg_temp.kept(p_provider text, p_at timestamptz default now()) returns boolean language sql as $$
  select app.record_unverified(p_provider, 'signature_wrong', p_at)
$$;
select is((select count(*)::integer from generate_series(1, 100) where pg_temp.kept('flooded')), 20, 'twenty an hour');
select is((select count(*)::integer from app.payment_notifications where provider = 'flooded'), 20, 'are what is written');
select ok(pg_temp.kept('other'), 'a flood of one provider hides no other');
select ok(not pg_temp.kept('flooded', now() + interval '59 minutes'), 'within the hour it stays so');
select ok(pg_temp.kept('flooded', now() + interval '61 minutes'), 'after it there is room again');

select * from finish();
rollback;
