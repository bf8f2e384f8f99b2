begin;
\ir ../../support/fixture.psql
select plan(2);

-- Many releases, and few other rows between them.
insert into app.user_bill (
  uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after,
  add_time
)
select m.uid, 'frozen_points_release', 'release', -1, 1, 1, 1, 0, 0, 0,
  '2026-10-05Z'::timestamptz + g * interval '1 second'
from (select pg_temp.sign_up() as uid) as m cross join generate_series(1, 20000) as g;
select app.create_adjustment((select max(u.uid) from app.users as u), 0, 0, 1, 'One', null, '2026-10-05T01:00:00Z')
from generate_series(1, 1);
analyze app.user_bill;

create function pg_temp.plan(p_where text) returns setof text language plpgsql as $$
begin
  return query execute 'explain (costs off) select b.id from app.user_bill as b where b.add_time >= ''2026-10-01Z'' and b.add_time < ''2026-11-01Z'' and '
    || p_where || ' order by b.add_time desc, b.id desc limit 20';
end $$;
select ok(
  (
    select bool_or(p ~ 'add_time_id_idx')
    from pg_temp.plan($$(false or b.source <> 'release') and b.type = 'brokerage'$$) as p
  ),
  'what is no release has an index of its own'
);
select is(
  (
    select count(*) from pg_temp.plan($$(false or b.source <> 'release') and b.type = 'brokerage'$$) as p
    where p ~ 'Seq Scan on user_bill_2026'
  ),
  0::bigint, 'no month is scanned'
);
select * from finish();
rollback;
