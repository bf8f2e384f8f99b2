-- Guarantee access/second-factor: Where the settings require a second factor, no call works without it: no stolen
-- password or changed claim suffices. Only who has one changes the requirement
-- By: the claims of each call, app.lacks_second_factor
begin;
\ir ../../support/fixture.psql
grant store_api to postgres;
select plan(14);

create temporary table admins as
select r.role, r.areas, a.id from app.role_areas() as r
cross join lateral (select pg_temp.administrator() as id, r.role) as a;
update app.administrators as a set roles = array[m.role] from admins as m where m.id = a.auth_id;
create temporary table areas as select n.area from admins as a cross join lateral unnest(a.areas) as n (area)
  where a.role = 'owner';
create temporary table proofs as
select *
from (
  values ('none', null::jsonb, false), ('aal1', '{"aal": "aal1"}', false), ('other', '{"aal": "AAL2"}', false),
  ('aal2', '{"aal": "aal2"}', true)
) as p (name, claims, is_enough);

create function pg_temp.outcome(p_id uuid, p_area text, p_claims jsonb) returns text language plpgsql as $$
begin
  perform set_config(
    'request.jwt.claims', (jsonb_build_object('role', 'store_admin', 'sub', p_id) || coalesce(p_claims, '{}'))::text,
    true
  );
  return nullif(pg_temp.attempt('store_admin', format('select app.require_admin(%L)', p_area)), '');
end
$$;

-- Every setting of one area, with every area that a call can need, role and proof.
create function pg_temp.surprises() returns text[] language plpgsql as $$
declare
  v_area text;
  v_found text[] := '{}';
begin
  for v_area in select a.area from areas as a order by a.area loop
    update app.settings set second_factor_areas = array[v_area];
    v_found := v_found || array(
      select concat_ws(' ', v_area, c.area, a.role, p.name, pg_temp.outcome(a.id, c.area, p.claims))
      from areas as c cross join admins as a cross join proofs as p
      where pg_temp.outcome(a.id, c.area, p.claims) is distinct from case
        when not c.area = any (a.areas) then 'PT403 forbidden'
        when c.area in (v_area, 'administrators') and not p.is_enough then 'PT403 second_factor_required'
      end
      order by 1
    );
  end loop;
  return v_found;
end
$$;

select is((select count(*) from areas), 10::bigint, 'there are ten areas');
select is(
  pg_temp.surprises(), '{}',
  'each area needs it if it is required, for each role, and so do the administrators; only aal2 is enough, and gives no right that a role does not'
);
update app.settings set second_factor_areas = '{}';
select is_empty(
  $$ select a.role, c.area from admins as a cross join areas as c
  where c.area = any (a.areas) and pg_temp.outcome(a.id, c.area, '{"aal": "aal1"}') is not null $$,
  'a new store requires it for nothing'
);

-- With everything required, which functions answer a session without it.
update app.settings set second_factor_areas = array(select a.area from areas as a);
create function pg_temp.needs(p_function text) returns boolean language sql as $$
  select pg_temp.call((select id from admins where role = 'owner'), p_function, (
    select jsonb_object_agg(n.name, null)
    from pg_proc as p cross join lateral unnest(p.proargnames) as n (name)
    where p.pronamespace = 'api'::regnamespace and p.proname = p_function
  )) = 'PT403 second_factor_required'
$$;
select is_empty(
  $$ select p.proname from pg_proc as p
    where p.pronamespace = 'api'::regnamespace and p.prosrc ~ 'app[.]require_admin[(]'
      and pg_temp.needs(p.proname) = (p.prosrc ~ 'app[.]require_admin[(]null[)]') $$,
  'every function but those of all roles needs it'
);

-- A factor that was removed.
create temporary table c as select id from admins where role = 'owner';
create function pg_temp.after(
  p_proved_ago interval, p_methods text[] default '{totp}'
) returns boolean language plpgsql as $$
begin
  return pg_temp.outcome((select id from c), 'system', jsonb_build_object('aal', 'aal2', 'amr', (
    select jsonb_agg(jsonb_build_object('method', m, 'timestamp', floor(extract(epoch from now() - p_proved_ago))))
    from unnest(p_methods) as m
  ))) is null;
end
$$;
select ok(pg_temp.after('1 day'), 'a proof counts as long as its session');
update app.administrators as a set factors_removed_at = now() - interval '1 hour' from c where a.auth_id = c.id;
select ok(not pg_temp.after('61 minutes'), 'not after the factor was removed');
select ok(pg_temp.after('59 minutes'), 'a later one does');
select ok(not pg_temp.after('59 minutes', '{password, otp}'), 'only if it is one of a second factor');

-- Who may change what is required.
update app.settings set second_factor_areas = '{}';
update app.administrators as a set factors_removed_at = null from c where a.auth_id = c.id;
create function pg_temp.change(p_areas jsonb, p_aal text, p_ago interval) returns text language plpgsql as $$
begin
  return left(pg_temp.attempt('store_api', format('select app.as_caller(%L, %L, %L)', jsonb_build_object(
    'role', 'store_admin', 'sub', (select id from c), 'aal', p_aal, 'amr',
    jsonb_build_array(
      jsonb_build_object('method', 'totp', 'timestamp', floor(extract(epoch from clock_timestamp() - p_ago)))
    )
  ), 'set_settings', jsonb_build_object('p_second_factor_areas', p_areas))), 32);
end
$$;
create function pg_temp.required() returns text[] language sql as 'select s.second_factor_areas from app.settings as s';
select is(
  pg_temp.change('["money"]', 'aal1', '1 minute'), 'PT403 second_factor_required',
  'whoever requires a second factor has one'
);
select is(
  pg_temp.change('["money"]', 'aal2', '16 minutes'), 'PT403 recent_sign_in_needed',
  'and has proved it within a quarter of an hour'
);
select is(
  pg_temp.change('["kitchen"]', 'aal2', '1 minute'), 'PT422 invalid_argument', 'an area that does not exist is refused'
);
select pg_temp.change('["system", "money", "money"]', 'aal2', '14 minutes');
select is(pg_temp.required(), '{money, system}', 'each area is stored once, in the order of the areas');
select throws_ok(
  $$ update app.settings set second_factor_areas = '{kitchen}' $$, '23514', null, 'the table takes no other, either'
);

-- docs/access.md lists what needs a recent sign-in.
select set_eq(
  $$ select p.pronamespace::regnamespace || '.' || p.proname from pg_proc as p
  where p.prosrc ~ 'app[.]require_recent_sign_in[(]' $$,
  $$ values ('api.request_deletion'), ('app.change_settings'), ('api.request_factor_removal'),
  ('api.confirm_factor_removal') $$, 'the most dangerous actions need a recent sign-in'
);

select * from finish();
rollback;
