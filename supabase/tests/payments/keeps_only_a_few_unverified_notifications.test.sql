begin;
\ir ../support/fixture.psql
select plan(5);

create function pg_temp.kept(p_provider text, p_at timestamptz default now()) returns boolean language sql as $$
  select app.record_unverified(p_provider, 'signature_wrong', p_at)
$$;
select is(
  (select count(*)::integer from generate_series(1, 100) where pg_temp.kept('flooded')), 20,
  'twenty of 100 are accepted within an hour'
);
select is(
  (select count(*)::integer from app.payment_notifications where provider = 'flooded'), 20, 'twenty rows are stored'
);
select ok(pg_temp.kept('other'), 'the limit applies per provider');
select ok(
  not pg_temp.kept('flooded', now() + interval '1 hour' - interval '1 microsecond'), 'the limit lasts for an hour'
);
select ok(pg_temp.kept('flooded', now() + interval '1 hour'), 'more rows are stored after an hour');

select * from finish();
rollback;
