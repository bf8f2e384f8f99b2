-- Guarantee money/month-compacted: Releases of a sealed month may be stored as the first ones and what tells the
-- others, and are read row for row as before
-- By: a comparison of all rows, app.build_compaction
-- Guarantee money/seal-compacted: A seal stays valid when its month is compacted and expanded
-- By: the texts of the rows stay the same, app.leaves
begin;
\ir ../support/fixture.psql
\ir ../support/old_months.psql
grant store_api to postgres;
select plan(38);

-- Business months of Shanghai have rows in two months by UTC.
update app.settings set time_zone = 'Asia/Shanghai';
create temporary table m as select pg_temp.sign_up() as uid, pg_temp.administrator() as admin;
create temporary table o as
select pg_temp.old_order(null, '2025-03-02T00:00:00Z', (select uid from m)) as first,
  pg_temp.old_order((select uid from m), '2025-03-05T00:00:00Z') as id;
-- An order between two releases, and a day that is released late, after another order: its basis is what was frozen at
-- the end of that day.
do $$ declare
  v_day date;
begin
  for v_day in select d::date from generate_series('2025-03-06'::date, '2025-04-30'::date, interval '1 day') as d loop
    perform pg_temp.old_order(
      (select uid from m), v_day::timestamp at time zone 'Asia/Shanghai' + interval '30 minutes'
    )
    where v_day in ('2025-03-15', '2025-03-22');
    if v_day = '2025-03-22' then
      perform app.begin_release('2025-03-21', true, '2025-03-21T16:45:00Z');
      perform app.release_chunk(
        '2025-03-21', array(select b.uid from app.user_balances as b where b.frozen_points > 0 order by b.uid),
        '2025-03-21T16:45:00Z', app.release_until('2025-03-21')
      );
      perform app.end_release('2025-03-21', 0, '2025-03-21T16:45:00Z');
    end if;
    perform pg_temp.release(v_day) where v_day <> '2025-03-21';
  end loop;
end $$;
select from app.close_month('2025-03', null);
select from app.close_month('2025-04', null);
select pg_temp.night();

-- A list of all members, read to its end by its cursors.
create function pg_temp.pages(p_name text) returns text language sql as $$
  with recursive pages as (
    select 1 as number, pg_temp.call(m.admin, p_name, '{"p_limit": 40}')::jsonb as page from m
    union all
    select p.number + 1,
      pg_temp.call(m.admin, p_name, jsonb_build_object('p_limit', 40, 'p_cursor', p.page -> 'next_cursor'))::jsonb
    from pages as p, m where p.page ->> 'next_cursor' is not null
  )
  select string_agg(p.page::text, E'\n' order by p.number) from pages as p
$$;

-- What readers show of the months, each as a text.
create function pg_temp.shown() returns table (name text, shown text) language sql as $$
  select 'rows of the bill', string_agg(b::text, E'\n' order by b.id) from app.bill('-infinity', 'infinity') as b
  union all select 'rows of the release log', string_agg(l::text, E'\n' order by l.id)
  from app.releases('-infinity', 'infinity') as l
  union all select 'releases since a time', string_agg(l::text, E'\n' order by l.id)
  from app.releases('-infinity', 'infinity', '2025-03-20Z') as l
  union all select 'releases of a week', string_agg(l::text, E'\n' order by l.id)
  from app.releases('2025-03-10', '2025-03-16') as l
  union all select 'a row of the bill', string_agg(app.bill_row(b.id)::text, E'\n' order by b.id)
  from app.bill('-infinity', 'infinity') as b
  union all select 'pages of the bill',
  string_agg(app.bill_page(m.uid, null, '2025-03-01Z', '2025-05-01Z', n, 7, null)::text, E'\n' order by n)
  from m, generate_series(1, 9) as n
  union all select 'a type of the bill', app.bill_page(m.uid, 'frozen_points_release', null, null, 1, 50, null)::text
  from m
  union all select 'statements', string_agg(app.statement_json(m.uid, t)::text, E'\n' order by t)
  from m, unnest('{2025-03, 2025-04}'::text[]) as t
  union all select 'lines of a statement', app.statement_lines(m.uid, '2025-03', null)::text from m
  union all select 'lines of all', app.bill_lines(null, '2025-03-01Z', '2025-05-01Z', null)::text
  union all select 'the release log', pg_temp.call(m.admin, 'get_release_log', jsonb_build_object('p_uid', m.uid))::text
  from m
  union all select 'the release log of all',
  pg_temp.call(
    m.admin, 'get_release_log', '{"p_date_from": "2025-03-01", "p_date_to": "2025-03-31", "p_limit": 100}'
  )::text
  from m
  union all select 'the bill of all',
  pg_temp.call(m.admin, 'get_bill_rows', '{"p_from": "2025-03-01Z", "p_to": "2025-04-01Z", "p_limit": 100}')::text
  from m
  union all select 'pages of the bill of all', pg_temp.pages('get_bill_rows')
  union all select 'pages of the release log of all', pg_temp.pages('get_release_log')
  union all select 'the export of a member', app.export_member(m.uid, null)::text from m
  union all select 'what explains an order', app.explain_order(o.id)::text from o
  union all select 'the journal', string_agg(app.journal_chunk('2025-03', p, null, 1000)::text, E'\n' order by p)
  from unnest('{opening, bill, closing}'::text[]) as p
  union all select 'debts at a time', string_agg(w::text, E'\n' order by w.uid)
  from app.owed_at('2025-03-12Z', '2025-03-12Z') as w
  union all select 'frozen points at a time', string_agg(app.frozen_until(m.uid, d)::text, ' ' order by d)
  from m, generate_series('2025-03-01Z'::timestamptz, '2025-05-01Z', interval '1 day') as d
  union all select 'roots', string_agg(app.month_root(t, repeat('5a', 32)) ->> 'root', ' ' order by t)
  from unnest('{2025-03, 2025-04}'::text[]) as t
  union all select 'a proof',
  app.tree_of_month('2025-04-01', decode(repeat('5a', 32), 'hex'), (select uid from m))::text
  union all select 'the view of analysts', string_agg(b::text, E'\n' order by b.bill_id) from report.bill as b
  union all select 'findings', coalesce(string_agg(r::text, E'\n' order by r.check_name, r.subject), 'none')
  from app.reconcile() as r
$$;
select is(app.compaction_obstacle('2025-03-01', now()), 'it is not sealed', 'only a sealed month is compacted');
select pg_temp.seal('2025-03-01'), pg_temp.seal('2025-04-01');
create temporary table before as select * from pg_temp.shown();
create function pg_temp.differences() returns setof text language sql as $$
  select b.name from before as b join pg_temp.shown() as n on n.name = b.name where n.shown is distinct from b.shown
  order by 1
$$;
select is((select shown from before where name = 'findings'), 'none', 'the store is in order');
select is(app.compaction_obstacle('2025-03-01', now()), null, 'a sealed month can be');
select is(
  app.compaction_obstacle('2025-02-01', now()), 'the bill or the release log has no partition of it',
  'not one without partitions'
);
select is(
  app.compaction_obstacle('2025-03-01', '2025-04-01T12:00:00Z'), 'it ended less than a day ago',
  'not one whose rows may still be written'
);
savepoint missed;
delete from app.release_runs where release_date = '2025-03-28';
select from app.begin_release('2025-03-28', false, now());
select is(
  app.compaction_obstacle('2025-03-01', now()), 'the release of 2025-03-28 is not finished',
  'not while a release is unfinished'
);
rollback to savepoint missed;
select throws_ok(
  $$ select app.prepare_compaction('2025-02-01') $$, 'PT422', 'invalid_argument', 'and prepare_compaction() refuses it'
);
select throws_ok(
  $$ select app.build_expansion('2025-03-01') $$, 'PT422', 'invalid_argument',
  'what is not compacted cannot be expanded'
);

select is(app.prepare_compaction('2025-03-01'), true, 'the month is prepared');
select is(app.prepare_compaction('2025-03-01'), false, 'once');
select throws_ok($$ insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after,
  add_time) select uid, '2025-03-01', 2, 1, 1, now() from m $$,
  'PT409', 'month_closed', 'it takes no more releases');
savepoint given_up;
select is(app.build_expansion('2025-03-01'), false, 'expanding it gives its compaction up');
select is(app.prepare_compaction('2025-03-01'), true, 'and it can be prepared again');
rollback to given_up;
savepoint wrong;
create or replace function app.log_of_run(
  p_run app.compacted_releases
) returns setof app.points_release_log language sql stable as $$
  select r.log_id, p_run.uid, r.release_date, r.frozen_before::numeric(18,4), r.amount::numeric(18,4),
    (r.frozen_after + 0.0001)::numeric(18,4), r.add_time
  from app.releases_of_run(p_run) as r
$$;
select throws_ok(
  $$ select app.build_compaction('2025-03-01') $$, 'XX001', null, 'a copy with another row is not taken'
);
rollback to savepoint wrong;
select is(app.build_compaction('2025-03-01'), true, 'the month is built');
select is(app.build_compaction('2025-03-01'), false, 'once');
select is_empty('select * from pg_temp.differences()', 'nobody sees what is built');
savepoint given_up;
select app.build_expansion('2025-03-01');
select is_empty(
  $$ select c.relname from pg_class as c
  where c.relnamespace = 'compacted'::regnamespace and c.relname ~ '2025' and c.relkind = 'r' $$,
  'nothing of it is left if it is given up'
);
rollback to given_up;
-- As if April, which begins in the evening of March by UTC, had been closed since then.
alter table compacted.user_bill_202503_rest drop constraint month_2025_04_is_closed;
select pg_temp.check_parts('2025-03-01');
select is(app.exchange_compacted('2025-03-01'), true, 'the month is compacted');
select
  is((select count(*) from pg_constraint as c where c.conrelid = 'app.user_bill_202503'::regclass
  and c.conname = 'month_2025_04_is_closed'), 1::bigint,
  'it takes no rows of a month that was closed meanwhile');
select is(app.exchange_compacted('2025-03-01'), false, 'once');
select is_empty(
  'select * from pg_temp.differences()',
  'all readers show what they showed, the reconciliation finds nothing, and the roots are the same'
);
select is(
  (select count(*) from app.user_bill as b where b.source = 'release' and b.add_time < '2025-04-01Z'), 2::bigint,
  'of the releases of March, that which does not follow, and that of the first day of April stay'
);
select is(
  (select (kept, first_kept) from app.compacted_months),
  (
    select (1::bigint, b.id) from app.user_bill as b
    where b.source = 'release' and b.basis < b.frozen_after + b.available_delta
  ),
  'the one that does not follow is reported'
);
select is(
  (select (count(*), sum(coalesce(array_length(steps, 1), 0) + 1)) from app.compacted_releases),
  (select (runs, releases::bigint) from app.compacted_months), 'as are the runs'
);
select ok(
  (select count(*) from app.compacted_releases where uid = (select uid from m)) between 3 and 5,
  'grants and late releases part the runs of a member'
);
savepoint recent;
create or replace function app.release_amount(p_frozen_points numeric) returns numeric language sql immutable parallel safe as $$ select trunc(p_frozen_points * 0.0005, 4) $$;
select is(
  pg_temp.call(m.admin, 'get_release_log', '{"p_limit": 1}')::jsonb #>> '{list, 0, release_date}', '2025-04-30',
  'a page of the latest releases does not compute those in runs'
)
from m;
select ok(app.frozen_until(m.uid, '2025-04-28Z') > 0, 'nor does the balance at a time after them') from m;
rollback to recent;
select app.prepare_compaction('2025-04-01'), app.build_compaction('2025-04-01'), pg_temp.check_parts('2025-04-01'),
  app.exchange_compacted('2025-04-01');
select is_empty('select * from pg_temp.differences()', 'so it is with the next month');
select is_empty(
  $$ select * from app.verify_manifest() where severity <> 'ok' $$, 'the database has all that its manifest has'
);

savepoint rule;
create or replace function app.release_amount(p_frozen_points numeric) returns numeric language sql immutable parallel safe as $$ select trunc(p_frozen_points * 0.0005, 4) $$;
select throws_ok(
  $$ select count(*)
  from app.bill('-infinity', 'infinity') $$, 'XX001', null,
  'with another rule, the releases are not shown with other amounts'
);
rollback to savepoint rule;

select is(app.drop_originals('2025-03-01'), true, 'the originals are dropped');
select is(app.drop_originals('2025-03-01'), false, 'once');
savepoint lost;
alter table app.compacted_releases disable trigger compacted_releases_are_never_changed;
alter table app.compacted_releases_202503 disable trigger compacted_releases_are_never_changed;
delete from app.compacted_releases_202503
where first_time = (select min(first_time) from app.compacted_releases_202503);
select throws_ok(
  $$ select app.build_expansion('2025-03-01') $$, 'XX001', null,
  'a month that lost a run is not expanded as if it were whole'
);
rollback to savepoint lost;
select app.build_expansion('2025-03-01');
select is_empty('select * from pg_temp.differences()', 'nobody sees what is built to expand it');
select pg_temp.check_parts('2025-03-01'), app.exchange_expanded('2025-03-01');
select is_empty('select * from pg_temp.differences()', 'expanded, the month is what it was');
select app.build_expansion('2025-04-01'), pg_temp.check_parts('2025-04-01'), app.exchange_expanded('2025-04-01');
select is(
  (select count(*) from app.compacted_months) + (select count(*) from app.compacted_releases), 0::bigint,
  'nothing is left of the compaction'
);
select is_empty(
  $$ select c.relname from pg_class as c
  where c.relnamespace = 'compacted'::regnamespace and c.relname ~ '2025' and c.relkind = 'r' $$, 'nor beside it'
);

select * from finish();
rollback;
