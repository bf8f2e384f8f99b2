begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(6);

create temporary table admins as select pg_temp.administrator() as id;
-- In the sequence of their ids: ended after three hours, open, after one, after two and after two hours.
create temporary table w as
with added as (
  insert into app.withdrawals (
    withdrawal_no, uid, method, account_hint, amount, fee, state, add_time, approved_at, ended_at
  )
  select 'SORT' || lpad(t.n::text, 4, '0'), m.uid, 'bank', 'ICBC', 100, 0,
    case when t.hours is null then 'requested' else 'paid' end, '2026-11-01Z',
    case when t.hours is not null then '2026-11-01Z'::timestamptz end,
    '2026-11-01Z'::timestamptz + t.hours * interval '1 hour'
  from (select pg_temp.sign_up() as uid) as m
  cross join unnest('{3, null, 1, 2, 2}'::integer[]) with ordinality as t (hours, n) order by t.n
  returning id, uid
)
select row_number() over (order by a.id) as n, a.* from added as a;

create function pg_temp.page(p_args jsonb) returns jsonb language sql as $$
  select case when c like '{%' then c::jsonb else jsonb_build_object('error', c) end
  from (
    select pg_temp.call(
      a.id, 'admin_get_withdrawals', jsonb_build_object('p_uid', (select max(w.uid) from w)) || p_args
    ) as c
    from admins as a
  ) as s
$$;
-- The withdrawals of the pages of two that follow each other, and how many there are.
create function pg_temp.listed(p_args jsonb) returns text language plpgsql as $$
declare
  v_page jsonb;
  v_cursor text;
  v_listed text := '';
begin
  loop
    v_page := pg_temp.page(p_args || jsonb_build_object('p_limit', 2, 'p_cursor', v_cursor));
    v_listed := v_listed || coalesce((
      select string_agg(w.n::text, '' order by l.place)
      from jsonb_array_elements(v_page -> 'list') with ordinality as l (e, place)
      join w on w.id = (l.e ->> 'id')::bigint
    ), '') || '/';
    v_cursor := v_page ->> 'next_cursor';
    if v_cursor is null then
      return v_listed || coalesce(v_page ->> 'count', v_page::text);
    end if;
  end loop;
end
$$;

select is(pg_temp.listed('{"p_sort": "-id"}'), '54/32/1/5', 'newest first');
select is(pg_temp.listed('{"p_sort": "id"}'), '12/34/5/5', 'oldest first');
select is(pg_temp.listed('{"p_sort": "ended_at"}'), '34/51//4', 'by their end, without the open one');
select is(pg_temp.listed('{"p_sort": "-ended_at", "p_state": "paid"}'), '15/43//4', 'of a state, the last first');
select is(
  pg_temp.page('{"p_sort": "ended_at"}') -> 'states' -> 'requested', '1', 'the numbers beside the states count all'
);
select is(
  pg_temp.page('{"p_sort": "amount"}') ->> 'error', 'PT422 invalid_argument', 'only what has an index is sorted by'
);

select * from finish();
rollback;
