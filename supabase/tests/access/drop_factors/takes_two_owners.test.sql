-- Guarantee access/second-factor-lost: Only two other owners together, or the owner of the database, remove a lost
-- second factor. What it proved before counts no more
-- By: a request and its confirmation, app.drop_factors
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(25);

delete from app.administrators;
create temporary table p as select pg_temp.administrator() as lost, pg_temp.administrator() as one,
  pg_temp.administrator() as two, pg_temp.administrator() as clerk;
update app.administrators as a set roles = '{finance}' from p where a.auth_id = p.clerk;

create function pg_temp.enrol(p_id uuid) returns void language sql as $$
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
  values (gen_random_uuid(), p_id, 'phone', 'totp', 'verified', now(), now(), 'GEZDGNBVGY3TQOJQ')
$$;
create function pg_temp.open_session(p_id uuid) returns void language sql as $$
  insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), p_id, now(), now())
$$;
create function pg_temp.as_owner(
  p_id uuid, p_function text, p_ago interval default '1 minute'
) returns text language plpgsql as $$
declare
  v_result text := pg_temp.attempt('store_api', format('select app.as_caller(%L, %L, %L)', jsonb_build_object(
    'role', 'store_admin', 'sub', p_id, 'aal', 'aal2', 'amr',
    jsonb_build_array(
      jsonb_build_object('method', 'totp', 'timestamp', floor(extract(epoch from clock_timestamp() - p_ago)))
    )
  ), p_function, jsonb_build_object('p_auth_id', (select lost from p))));
begin
  return case when v_result like 'PT%' then v_result else 'done' end;
end
$$;
create function pg_temp.state() returns text language sql as $$
  select concat_ws(
    ' ', (select count(*) from auth.mfa_factors as f where f.user_id = p.lost), 'factors',
    (select count(*) from auth.sessions as s where s.user_id = p.lost), 'sessions'
  )
  from p
$$;

select is(
  pg_temp.as_owner(one, 'request_factor_removal'), 'PT422 invalid_argument',
  'there is nothing to remove of somebody without a second factor'
)
from p;
select pg_temp.enrol(lost), pg_temp.enrol(one), pg_temp.open_session(lost), pg_temp.open_session(one) from p;
select is(
  pg_temp.as_owner(one, 'confirm_factor_removal'), 'PT409 changed_meanwhile',
  'nobody confirms what nobody has asked for'
)
from p;
select is(pg_temp.as_owner(one, 'cancel_factor_removal'), 'PT409 changed_meanwhile', 'nor takes it back') from p;
select is(pg_temp.as_owner(clerk, 'request_factor_removal'), 'PT403 forbidden', 'only owners ask') from p;
select is(pg_temp.as_owner(lost, 'request_factor_removal'), 'PT403 own_account', 'not for themselves') from p;
select is(
  pg_temp.as_owner(one, 'request_factor_removal', '16 minutes'), 'PT403 recent_sign_in_needed',
  'and only after a recent proof'
)
from p;
select is(pg_temp.as_owner(one, 'request_factor_removal'), 'done', 'one owner asks') from p;
select is(pg_temp.as_owner(one, 'request_factor_removal'), 'done', 'who asks again changes nothing') from p;
select is(
  pg_temp.as_owner(one, 'confirm_factor_removal'), 'PT409 second_administrator_needed', 'who asked does not confirm'
)
from p;
select is(pg_temp.as_owner(lost, 'confirm_factor_removal'), 'PT403 own_account', 'nor does the person') from p;
select is(pg_temp.as_owner(clerk, 'confirm_factor_removal'), 'PT403 forbidden', 'nor somebody who is no owner') from p;
select is(pg_temp.state(), '1 factors 1 sessions', 'until then, nothing has happened');

select is(pg_temp.as_owner(lost, 'cancel_factor_removal'), 'done', 'the person can keep it') from p;
select is(
  pg_temp.as_owner(one, 'request_factor_removal') || ' ' || pg_temp.as_owner(two, 'request_factor_removal'),
  'done done', 'two who ask are no confirmation'
)
from p;
update app.factor_removals set asked_at = now() - interval '8 days';
select is(pg_temp.as_owner(two, 'confirm_factor_removal'), 'PT409 changed_meanwhile', 'after a week, it is too late')
from p;
select is(pg_temp.as_owner(one, 'request_factor_removal'), 'done', 'it can be asked for anew') from p;
update app.administrators as a set roles = '{finance}' from p where a.auth_id = p.one;
select is(
  pg_temp.as_owner(two, 'confirm_factor_removal'), 'PT409 changed_meanwhile',
  'the request of somebody who is no owner any more does not count'
)
from p;
update app.administrators as a set roles = '{owner}' from p where a.auth_id = p.one;
select is(pg_temp.as_owner(two, 'confirm_factor_removal'), 'done', 'another owner confirms') from p;
select is(pg_temp.state(), '0 factors 0 sessions', 'which removes the factors and ends the sessions');
select is(
  (
    select concat_ws(' ', count(distinct f.id), count(distinct s.id)) from p
    join auth.mfa_factors as f on f.user_id = p.one join auth.sessions as s on s.user_id = p.one
  ),
  '1 1', 'and those of nobody else'
);
select results_eq(
  $$ select a.function, a.actor = p.one from app.admin_actions as a, p
  where a.target_id = p.lost::text and a.function like '%factor%' order by a.id desc limit 2 $$,
  $$ values ('confirm_factor_removal', false), ('request_factor_removal', true) $$, 'both steps are recorded'
);

select pg_temp.enrol(lost), pg_temp.open_session(lost) from p;
select is(app.remove_factors(u.email), true, 'the owner of the database removes it alone') from p
join auth.users as u on u.id = p.lost;
select is(app.remove_factors(u.email), false, 'once') from p join auth.users as u on u.id = p.lost;
select is(pg_temp.state(), '0 factors 0 sessions', 'with the sessions');
select is(
  (select count(*) from app.admin_actions as a where a.function = 'remove_factors'), 1::bigint, 'which is recorded'
);

select * from finish();
rollback;
