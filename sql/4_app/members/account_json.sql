create or replace function app.account_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (
    select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(a)) as e
    where e.key in ('id', 'email', 'phone', 'raw_user_meta_data', 'created_at', 'last_sign_in_at', 'email_confirmed_at', 'phone_confirmed_at')
  ) || jsonb_build_object('identities', (
    select coalesce(jsonb_agg(jsonb_build_object('provider', i.provider, 'identity_data', i.identity_data) order by i.provider), '[]')
    from auth.identities as i where i.user_id = a.id
  ))
  from app.users as u join auth.users as a on a.id = u.auth_id
  where u.uid = p_uid
$$;

comment on function app.account_json is
  'Returns the Auth account of a member without passwords and tokens; null for a member without an account.';
