-- Guarantee operation/first-steps: The first steps of a new store are done when the tables show it. An owner can
-- dismiss them, which is recorded
-- By: one read, app.first_steps
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(18);

update app.products set is_show = false;
update app.article_categories set is_sign_in_ad = false;
update app.settings set site_name = 'Store', logo = null, h5_share_url = 'http://127.0.0.1:54321/h5',
  first_steps_dismissed_at = null;
create temporary table admins as select pg_temp.administrator() as owner;
create function pg_temp.steps(p_is_done boolean) returns text language sql as $$
  select coalesce(string_agg(l.value ->> 'step', ' ' order by l.ordinality), '')
  from admins as a, jsonb_array_elements(pg_temp.call(a.owner, 'get_first_steps')::jsonb -> 'list') with ordinality as l
  where (l.value ->> 'is_done')::boolean = p_is_done
$$;
select is(
  pg_temp.steps(false), 'identity product plan levels article payment share withdrawals colleague order',
  'in a new store, every step is to be done'
);
select is(pg_temp.steps(true), '', 'and none is done');

update app.settings set site_name = 'Tea house';
select is(pg_temp.steps(true), '', 'a name without a logo is half of a step');
update app.settings set logo = 'https://shop.example.com/logo.png';
select is(pg_temp.steps(true), 'identity', 'a name and a logo are one');

insert into app.products (title, price, freight, is_queue_goods, is_show) values ('Tea', 9, 0, false, true),
  ('Package', 3600, 0, true, false);
select is(pg_temp.steps(true), 'identity', 'neither ordinary goods nor goods that are not on sale are the step');
update app.products set is_show = true;
select is(pg_temp.steps(true), 'identity product', 'queue goods on sale are');

insert into app.article_categories (title, is_sign_in_ad) values ('Read first', true);
select is(pg_temp.steps(true), 'identity product', 'a category without an article is not enough');
insert into app.articles (cid, title) select c.id, 'Welcome' from app.article_categories as c
where c.title = 'Read first';
select is(pg_temp.steps(true), 'identity product article', 'an article before sign-in is');

update app.settings set h5_share_url = 'https://shop.example.com/h5';
select is(pg_temp.steps(true), 'identity product article share', 'so is a share link that others can open');

select pg_temp.set_settings(a.owner, '{"receipt_days": 8}') from admins as a;
select is(pg_temp.steps(true), 'identity product article share', 'other settings are no terms of withdrawals');
select pg_temp.set_settings(a.owner, '{"withdrawal_minimum": 50}') from admins as a;
select is(
  pg_temp.steps(true), 'identity product article share withdrawals', 'terms that an administrator has chosen are'
);

select pg_temp.call_proved(a.owner, 'invite_administrator', '{"p_email": "new@example.com", "p_roles": ["finance"]}')
from admins as a;
select is(
  pg_temp.steps(true), 'identity product article share withdrawals colleague', 'an invitation counts as a colleague'
);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
select is(pg_temp.steps(false), 'order', 'a paid order shows that payments arrive');
select pg_temp.set_settings(a.owner, '{"h5_share_url": "http://localhost/h5"}') from admins as a;
select is(pg_temp.steps(false), 'share order', 'a step that is undone is to be done again');

select is(
  pg_temp.call((select u.auth_id from app.users as u, m where u.uid = m.uid), 'get_first_steps'), 'PT403 forbidden',
  'a member sees none'
);
create temporary table service as select pg_temp.administrator() as id;
update app.administrators set roles = '{service}' where auth_id = (select s.id from service as s);
select is(pg_temp.call(s.id, 'dismiss_first_steps'), 'PT403 forbidden', 'only the area system dismisses them')
from service as s;

select pg_temp.call(a.owner, 'dismiss_first_steps') from admins as a;
select is(pg_temp.steps(false), '', 'steps that were dismissed are not shown') from admins as a;
update app.settings set first_steps_dismissed_at = null, h5_share_url = 'https://shop.example.com/h5';
select app.deliver_order(o.id, now(), null, null) from o;
select is(pg_temp.call(a.owner, 'get_first_steps')::jsonb, '{"list": []}', 'nor are they when the last one is done')
from admins as a;

select finish();
rollback;
