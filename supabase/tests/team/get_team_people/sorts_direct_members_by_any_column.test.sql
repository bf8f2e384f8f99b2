begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(23);

-- Seven direct members with a different order by each column, and equal values.
create temporary table m as select pg_temp.sign_up() as me;
create temporary table p as
select n, pg_temp.sign_up((select me::text from m)) as uid from generate_series(1, 7) as n;
update app.users as u set nickname = (array['Beta', 'alpha', 'Delta', 'beta', 'Gamma', 'Alpha', '赵强'])[p.n],
  agent_level = (array[0, 2, 1, 0, 3, 1, 0])[p.n]
from p where u.uid = p.uid;
select pg_temp.buy(p.uid) from p, generate_series(1, (array[0, 3, 1, 1, 2, 0, 1])[p.n]);
select pg_temp.sign_up(p.uid::text) from p, generate_series(1, (array[2, 0, 2, 1, 0, 3, 0])[p.n]);
select pg_temp.sum_teams();

create function pg_temp.people(p_args jsonb) returns text language sql as $$
  select string_agg(p.n::text, '' order by l.number)
  from jsonb_array_elements(
    pg_temp.read((select me from m), 'get_team_people', p_args) -> 'list'
  ) with ordinality as l (person, number)
  join p on p.uid = (l.person ->> 'uid')::bigint
$$;
-- All pages of one or two members, joined by their cursors.
create function pg_temp.pages(p_sort text, p_limit integer) returns text language plpgsql as $$
declare v_page jsonb; v_cursor text; v_seen text := ''; begin
  loop
    v_page := pg_temp.read(
      (select me from m), 'get_team_people',
      jsonb_strip_nulls(jsonb_build_object('p_sort', p_sort, 'p_limit', p_limit, 'p_cursor', v_cursor))
    );
    v_seen := v_seen
      || coalesce(
        (
          select string_agg(p.n::text, '' order by l.number)
          from jsonb_array_elements(v_page -> 'list') with ordinality as l (person, number)
          join p on p.uid = (l.person ->> 'uid')::bigint
        ),
        ''
      );
    v_cursor := v_page ->> 'next_cursor';
    exit when v_cursor is null or length(v_seen) > 20;
  end loop;
  return v_seen;
end $$;

create temporary table expected (sort text, sequence text) on commit drop;
insert into expected
select d.sign || c.name, string_agg(c.n::text, '' order by c.value collate "C" desc, c.n desc)
from (values ('-')) as d (sign), lateral (
  select x.name, p.n, x.value from p join app.users as u using (uid), lateral (values
    ('joined', to_char(p.n, '00')), ('agent_level', u.agent_level::text),
      ('orders', (select count(*) from app.orders as o where o.uid = p.uid)::text),
    ('members', (select count(*) from app.users as b where b.spread_uid = p.uid)::text)
  ) as x (name, value)
) as c
group by 1;
insert into expected select ltrim(e.sort, '-'), reverse(e.sequence) from expected as e;
insert into expected
select d.sign || 'nickname', string_agg(p.n::text, '' order by lower(u.nickname) collate "default", p.n) from p
join app.users as u using (uid), (values ('')) as d (sign) group by 1;
insert into expected select '-nickname', reverse(e.sequence) from expected as e where e.sort = 'nickname';

select is(pg_temp.people(jsonb_build_object('p_sort', e.sort)), e.sequence, format('by %s', e.sort)) from expected as e
order by e.sort;
select is(pg_temp.pages(e.sort, 2), e.sequence, format('by %s, page by page', e.sort)) from expected as e
order by e.sort;
select is(pg_temp.people('{}'), '7654321', 'by default, the last who joined come first');
select is(
  pg_temp.read((select me from m), 'get_team_people', '{"p_keyword": "gam"}') #> '{list,0}',
  (select jsonb_build_object('uid', u.uid, 'nickname', 'Gamma', 'avatar', null, 'agent_level', 3, 'agent_level_name',
    'Service provider', 'joined', app.utc(u.add_time), 'orders', 2, 'members', 0)
   from p join app.users as u using (uid) where p.n = 5), 'what is shown of a member: no phone'
);
select is((select count(*) from expected), 10::bigint, 'the test covers ten sort orders');

select * from finish();
rollback;
