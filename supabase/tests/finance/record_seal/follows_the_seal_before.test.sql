-- Guarantee money/seal-sequence: Months are sealed once, in sequence, and only when closed
-- By: a lock and checks, app.record_seal
begin;
\ir ../../support/fixture.psql
select plan(18);

create temporary table m as select pg_temp.sign_up() as uid;
select pg_temp.create_partition('user_bill', '2025-03-01');
insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, add_time)
select m.uid, 'opening_balance', 'import', 1, 1, 0, 0, '2025-03-05' from m;
create function pg_temp.root(p_month text) returns jsonb language sql as $$ select app.month_root(
  p_month, repeat('5a', 32)
) $$;
create function pg_temp.seal(
  p_month text, p_change jsonb default '{}', p_is_lost boolean default false
) returns text language plpgsql as $$
declare
  v record;
begin
  select r.* into v
  from jsonb_to_record(pg_temp.root(p_month) || jsonb_build_object('key', repeat('aa', 32)) || p_change)
    as r (rows bigint, root text, previous text, key text, former text);
  return app.record_seal(
    p_month, v.rows, v.root, v.previous, v.key, repeat('01', 64), v.former, p_is_lost, now()
  ) ->> 'month';
exception when others then
  get stacked diagnostics p_month = pg_exception_detail;
  return sqlerrm || ': ' || p_month;
end $$;

select throws_ok($$ select pg_temp.root('2025-03') $$, 'PT422', 'invalid_argument', 'an open month has no root');
select is(app.month_to_seal(), null, 'and nothing is to be sealed while no month is closed');
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select from app.close_month('2025-06', null);
select is(app.month_to_seal(), '2025-03', 'the oldest closed month comes first');
select throws_ok(
  $$ select app.month_root('2025-03', 'secret') $$, 'PT422', 'invalid_argument', 'a secret has 64 hexadecimal digits'
);
select is(
  pg_temp.seal('2025-03', '{"rows": 2}'),
  'invalid_argument: The month 2025-03 had 1 rows when it was closed, and has another number now.',
  'a month that has gained or lost rows since it was closed is not sealed'
);
select is(pg_temp.seal('2025-03'), '2025-03', 'a closed month is sealed');
select is(pg_temp.seal('2025-03'), '2025-03', 'the same seal again changes nothing');
select is(
  pg_temp.seal('2025-03', jsonb_build_object('root', repeat('00', 32))),
  'invalid_argument: The month 2025-03 is sealed with another root.', 'another root is refused'
);
select is(app.month_to_seal(), '2025-04', 'the month after it is next');
select is(
  pg_temp.seal('2025-06'),
  'invalid_argument: Months are sealed in sequence. The last one is 2025-03, so the next one is 2025-04.',
  'a later month is refused'
);
select is(
  pg_temp.seal('2025-04', '{"previous": null}'),
  'invalid_argument: The seal does not name the root of the month before.', 'so is a seal that names no month before'
);
select matches(
  pg_temp.seal('2025-04', jsonb_build_object('key', repeat('bb', 32))),
  '^invalid_argument: The month before was sealed with the key (aa){32}, which must vouch',
  'so is a new key that nothing vouches for'
);
select is(
  pg_temp.seal('2025-04', jsonb_build_object('key', repeat('bb', 32), 'former', repeat('02', 64))), '2025-04',
  'a new key for which the former one vouches is taken'
);
select is(app.month_to_seal(), null, 'a month that is open holds up those after it');
select from app.close_month('2025-05', null);
select is(
  pg_temp.seal('2025-05', jsonb_build_object('key', repeat('cc', 32)), true), '2025-05',
  'a new key is taken if the former one is lost'
);
select is(
  app.statement_json(uid, '2025-03') #>> '{seal, root}', pg_temp.root('2025-03') ->> 'root',
  'a statement has the seal of its month'
)
from m;
select throws_ok('delete from app.month_seals', '23001', null, 'a seal is never deleted');
select throws_ok('truncate app.month_seals', '23001', null, 'nor emptied');

select * from finish();
rollback;
