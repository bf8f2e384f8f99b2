-- Guarantee money/past-instant
begin;
\ir ../../support/fixture.psql
\ir ../../support/old_months.psql
grant store_api to postgres;
select plan(18);

create temporary table m as select pg_temp.sign_up() as uid, pg_temp.administrator() as admin;
create function pg_temp.uid() returns bigint language sql as 'select uid from m';
update app.users set add_time = '2025-03-01Z' where uid = pg_temp.uid();
create function pg_temp.past(p_at timestamptz) returns jsonb language sql as $$ select app.member_json(
  pg_temp.uid(), p_at, now()
) $$;
create function pg_temp.asked(p_at timestamptz) returns text language sql as $$
  select pg_temp.call(m.admin, 'admin_get_user', jsonb_build_object('p_uid', m.uid, 'p_as_of', p_at)) from m
$$;
select pg_temp.old_order(null, '2025-03-02Z', pg_temp.uid());
select pg_temp.old_order(pg_temp.uid(), '2025-03-05Z');
select pg_temp.release('2025-03-07');
select pg_temp.old_order(pg_temp.uid(), '2025-04-05Z');
select pg_temp.release('2025-04-07');
select from app.set_agent_level(pg_temp.uid(), 1::smallint, null, '2025-04-10Z', true);
select from app.set_no_assess(pg_temp.uid(), true, null, '2025-04-11Z');
select from app.create_plan('{"payout_cap": 0.4, "tier_ratios": [0.1, 0.2, 0.3]}', null, '2025-05-02Z');

select is(
  (
    pg_temp.past('2025-03-05Z') -> 'progress'
  ) - '{tier_ratios, plan_version, people_per_cycle, brokerage_scope, brokerage_timing}'::text[],
  '{"eligible": true, "cycle_no": 1, "next_ratio": 0.2, "total_places": 0, "cycle_current": 0, "cycle_remaining": 3, "total_brokerage": "0.00"}',
  'what happens at the instant itself is not in its figures'
);
select is(
  pg_temp.past('2025-03-02Z') #>> '{progress,eligible}', 'false', 'a member is not eligible before the own order'
);
select is(
  (
    select jsonb_object_agg(e.key, e.value) from jsonb_each(pg_temp.past('2025-03-05 00:00:01Z')) as e
    where e.key in ('brokerage_price', 'frozen_points', 'agent_level', 'agent_level_name', 'no_assess', 'as_of')
  ),
  '{"brokerage_price": "1440.00", "frozen_points": 1440, "agent_level": 0, "agent_level_name": "Member", "no_assess": false, "as_of": "2025-03-05T00:00:01.000Z"}',
  'a second later, it is'
);
select is(
  pg_temp.past('2025-03-05 00:00:01Z') #> '{accounts,commission}',
  '{"opening": "0.00", "earned": "1440.00", "adjusted": "0.00", "withdrawable": "0.00", "held_by_refunds": "0.00", "maturing": "1440.00", "reserved": "0.00", "paid": "0.00"}',
  'and its commission matures'
);
select is(
  (
    select array[p ->> 'agent_level', p ->> 'agent_level_name', p ->> 'level_is_held', p ->> 'no_assess']
    from pg_temp.past('2025-05-01Z') as p
  ),
  '{1, Maker, true, true}',
  'level, hold and flag are those of the instant'
);
select is(
  pg_temp.past('2025-05-01Z') #> '{progress,tier_ratios}', '[0.2, 0.3, 0.5]',
  'the ratios are those of the plans that were in force'
);
select is(pg_temp.past(now()) #> '{progress,tier_ratios}', '[0.2, 0.3, 0.4]', 'and not the present ones');
select is(
  pg_temp.past(now()) - '{as_of, team, next_level}'::text[], pg_temp.past(null) - '{as_of, team, next_level}'::text[],
  'the figures as of now are those of the page without an instant'
);
select is(
  pg_temp.past(now()) @> '{"team": null, "next_level": null}', true, 'but for what has no history, which is null'
);

create temporary table before as
select i.at, pg_temp.past(i.at) as member, app.liabilities_json(i.at, i.at) as liabilities
from unnest(
  '{2025-03-02 00:00:01Z, 2025-03-05Z, 2025-03-08Z, 2025-04-01Z, 2025-04-05Z, 2025-04-08Z, 2025-04-20Z, 2025-05-01Z}'::timestamptz[]
) as i (at);
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select from app.close_month('2025-05', null);
select pg_temp.night();
select pg_temp.seal(c.month) from app.closed_months as c;
select app.prepare_compaction(m.month), app.build_compaction(m.month), pg_temp.check_parts(m.month),
  app.exchange_compacted(m.month)
from unnest('{2025-03-01, 2025-04-01}'::date[]) as m (month);
select is(
  (select (sum(c.releases) > 0, sum(c.kept)) from app.compacted_months as c), (true, 0::numeric),
  'the releases of both months are compacted'
);
select results_eq(
  $$ select b.at, pg_temp.past(b.at), app.liabilities_json(b.at, b.at) from before as b order by b.at $$, $$ select b.*
  from before as b order by b.at $$,
  'and every past instant is what it was'
);
select is(
  pg_temp.asked('2025-03-08Z')::jsonb, (select b.member from before as b where b.at = '2025-03-08Z'),
  'for an administrator, too'
);
select is(
  pg_temp.call((select admin from m), 'get_liabilities', '{"p_as_of": "2025-03-08Z"}')::jsonb,
  (select b.liabilities from before as b where b.at = '2025-03-08Z'), 'and so are the liabilities'
);
select is(
  (
    select sum((l ->> 'owed')::numeric)
    from jsonb_array_elements(
      pg_temp.call((select admin from m), 'export_liabilities', '{"p_as_of": "2025-03-08Z"}')::jsonb -> 'lines'
    ) as l
  ),
  (select (b.liabilities ->> 'owed')::numeric from before as b where b.at = '2025-03-08Z'), 'and their file'
);

select is(
  pg_temp.asked(now() + interval '1 minute'), 'PT422 invalid_argument', 'an instant that has not come is refused'
);
select is(pg_temp.asked('2025-02-01Z'), 'PT422 invalid_argument', 'so is one before the first member');
insert into app.imported_members (old_uid, uid, imported_at) values (1, pg_temp.uid(), '2025-04-07Z');
select throws_ok(
  $$ select pg_temp.past('2025-04-06Z') $$, 'PT422', 'invalid_argument',
  'and one before the member came, with an import or not'
);
select throws_ok(
  $$ select app.past_time('2025-04-06Z', now()) $$, 'PT422', 'invalid_argument', 'which was then the first member'
);

select * from finish();
rollback;
