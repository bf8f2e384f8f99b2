begin;
\ir ../../support/fixture.psql
select plan(12);

delete from app.administrators;
create temporary table m as select n.name, pg_temp.sign_up() as uid
  from unnest('{me, clerk, finance, owner}'::text[]) as n (name);
create temporary table people as select m.name, m.uid, u.auth_id as id from m join app.users as u on u.uid = m.uid;
update auth.users as u set role = 'store_admin' from people as p where p.id = u.id;
insert into app.administrators (auth_id, roles, added_at)
select p.id,
  case p.name
    when 'me' then '{owner}'::text[]
    when 'clerk' then '{service, content}'
    when 'finance' then '{content, finance}'
    else '{owner}'
  end,
  now()
from people as p;
-- Whether somebody other than "me" may act in an area, after a change that is undone.
create function pg_temp.finds(
  p_area text, p_change text default 'select', p_member text default null, p_but text default 'me'
) returns boolean language plpgsql as $$
declare
  v_finds boolean;
begin
  execute replace(p_change, 'ID', format('(select p.id from people as p where p.name = %L)', 'finance'));
  v_finds := app.other_administrator(
    p_area, (select p.id from people as p where p.name = p_but), (select p.uid from people as p where p.name = p_member)
  );
  raise exception using errcode = 'UN000', message = v_finds::text;
exception when sqlstate 'UN000' then
  return sqlerrm::boolean;
end
$$;
delete from app.administrators as a using people as p where p.id = a.auth_id and p.name = 'owner';

select is(pg_temp.finds('money'), true, 'an administrator with a role of the area');
select is(pg_temp.finds('orders'), true, 'also as one of several roles');
select is(pg_temp.finds('system'), false, 'not one without such a role');
select is(pg_temp.finds('system', p_but => 'finance'), true, 'an owner may act in every area');
select is(pg_temp.finds('money', p_member => 'finance'), false, 'nobody acts on their own member');
select is(pg_temp.finds('money', p_member => 'clerk'), true, 'on others they do');
select is(pg_temp.finds('money', p_but => 'finance', p_member => 'me'), false, 'both exceptions count together');
select is(pg_temp.finds('money', c.change), c.finds, c.sentence) from (values
  ('update auth.users set role = ''authenticated'' where id = ID', false, 'not an account whose token gives no role'),
  (
    'update auth.users set banned_until = now() + interval ''1 second'' where id = ID', false, 'not one that is blocked'
  ),
  ('update auth.users set banned_until = now() - interval ''1 second'' where id = ID', true, 'but one that was'),
  ('update auth.users set deleted_at = now() where id = ID', false, 'not one that is deleted'),
  ('delete from app.administrators where auth_id = ID', false, 'not one that is no administrator any more')
) as c (change, finds, sentence);

select * from finish();
rollback;
