begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(15);

create temporary table m as select pg_temp.reporter() as seller;
alter table m add buyer bigint;
update m set buyer = pg_temp.sign_up(seller::text);
create temporary table o as select pg_temp.report(buyer) as id from m;

-- Type, subject and payload, newest first.
create function pg_temp.notices(p_uid bigint) returns setof text language sql as $$
  select concat_ws(
    ' ', l.value ->> 'type', l.value ->> 'subject_id', l.value -> 'payload',
    case when (l.value -> 'is_read')::boolean then 'read' end
  )
  from jsonb_array_elements(pg_temp.read(p_uid, 'get_notices') -> 'list') with ordinality as l (value, place)
  order by l.place
$$;
create function pg_temp.unread(p_uid bigint) returns integer language sql as $$
  select (pg_temp.read(p_uid, 'get_unread_notices') ->> 'unread')::integer
$$;

select results_eq('select * from pg_temp.notices((select seller from m)) limit 2', format($$ values
  ('commission.earned %1$s {"buyer": "Tester", "place": 1, "amount": "720.00", "points": 720, "cycle_no": 1}'), ('member.referred %2$s {}')
$$, id, buyer), 'the newest first') from o, m;
select results_eq(
  'select * from pg_temp.notices((select buyer from m))',
  format($$ values ('order.paid %s {"pay_price": "3600.00"}') $$, id), 'of the member only'
)
from o;
select is(pg_temp.unread(seller), 3, 'all are unread at first') from m;

-- What the member does.
select set_config('request.jwt.claims', '{"role": "authenticated"}', true);
select app.deliver_order(id, now()), app.confirm_receipt(id, now()) from o;
select pg_temp.sign_up(buyer::text) is not null from m;
select set_config('request.jwt.claims', '', true);
select results_eq(
  'select split_part(n, '' '', 1) from pg_temp.notices((select buyer from m)) as n', $$ values ('member.referred'),
  ('order.paid') $$, 'what a member does is no notice, a new direct member is'
);
-- A call leaves its caller behind.
create function pg_temp.forget_caller() returns void language sql as $$ select set_config(
  'request.jwt.claims', '', true
) $$;
select pg_temp.forget_caller();
select app.write_event(t.type, 1, buyer, '{}', now())
from m, (values ('adjustment.requested'), ('adjustment.refused')) as t (type);
select is(
  (select count(*) from pg_temp.notices(buyer)), 2::bigint, 'what two administrators decide is none before it is booked'
)
from m;

-- Levels and releases.
select pg_temp.forget_caller();
select pg_temp.grade(buyer, 2) from m;
select is(
  n, format('level.reached %s {"level": "Cloud store", "level_zh": "云店", "to_level": 2, "from_level": 0}', buyer),
  'a level has its names'
)
from m, pg_temp.notices(buyer) as n limit 1;
select pg_temp.forget_caller();
create function pg_temp.release(p_day date) returns void language plpgsql as $$
begin
  perform app.release_members(p_day, array(select seller from m), now());
  perform app.write_event(
    'points.released', to_char(p_day, 'YYYYMMDD')::bigint, null,
    jsonb_build_object('release_date', p_day, 'users', 900, 'points', 12345), now()
  );
end
$$;
select app.release_members('2025-12-28', array(select seller from m), now());
select pg_temp.release('2025-12-29'), pg_temp.release('2026-01-02');
select pg_temp.forget_caller();
select is(
  (select count(*) from pg_temp.notices(seller) as n where n like 'points.% 20251229%' or n like 'points.% 20260102%'), 0::bigint,
  'the release of a night is no notice'
)
from m;
select pg_temp.forget_caller();
select pg_temp.release('2026-01-04');
select is(
  n, format(
    'points.released 20260104 {"points": %s, "release_date": "2026-01-04"}',
    (
      select trim_scale(sum(l.release_points)) from app.points_release_log as l
      where l.uid = seller and l.release_date between '2025-12-29' and '2026-01-04'
    )
  ),
  'that of a Sunday has what the member got since Monday, and nothing of others'
)
from m, pg_temp.notices(seller) as n limit 1;
select is(
  (select count(*) from pg_temp.notices(buyer) as n where n like 'points.%'), 0::bigint,
  'a release that gave the member nothing is no notice'
)
from m;
select is(pg_temp.unread(seller), 4, 'it is counted once') from m;

-- Choices.
select pg_temp.read(
  seller, 'set_notice_choices',
  '{"p_inbox": ["commission", "points"], "p_email": [], "p_wechat": [], "p_language": "en"}'
) is not null
from m;
select results_eq(
  'select split_part(n, '' '', 1) from pg_temp.notices((select seller from m)) as n', $$ values ('points.released'),
  ('commission.earned') $$, 'topics that the member hides are not shown'
);
select is(pg_temp.unread(seller), 2, 'nor counted') from m;

-- Pages.
create function pg_temp.page(p_cursor text) returns jsonb language sql as $$
  select pg_temp.read(
    (select buyer from m), 'get_notices', jsonb_strip_nulls(jsonb_build_object('p_limit', 2, 'p_cursor', p_cursor))
  )
$$;
select is(
  jsonb_path_query_array(pg_temp.page(null), '$.list[*].type')
  || jsonb_path_query_array(pg_temp.page(pg_temp.page(null) ->> 'next_cursor'), '$.list[*].type'),
  '["level.reached", "member.referred", "order.paid"]', 'pages continue where the last one ended'
);
select is(pg_temp.page(pg_temp.page(null) ->> 'next_cursor') -> 'next_cursor', 'null', 'the last page has no next one');

select pg_temp.forget_caller();
select app.write_event('order.expired', n, buyer, '{}', now()) from m, generate_series(1, 120) as n;
select is(pg_temp.read(buyer, 'get_unread_notices'), '{"unread": 100, "is_more": true}', 'the count ends at 100')
from m;

select * from finish();
rollback;
