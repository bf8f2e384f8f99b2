create or replace function app.without_person(p_response jsonb, p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(e.key, case
    when e.key in ('created_by', 'decided_by', 'closed_by') and e.value -> 'uid' = to_jsonb(p_uid) then e.value || '{"uid": null, "nickname": null}'
    when not w.is_theirs then e.value
    when e.key = 'nickname' then '"Deleted member"'
    when e.key = 'address' then 'null'
    when e.key in ('account', 'remark', 'reason') and jsonb_typeof(e.value) = 'string' then '""'
    else e.value
  end)
  from jsonb_each(p_response) as e
  cross join (
    select coalesce(p_response -> 'uid' = to_jsonb(p_uid), false)
      or exists (select from app.orders as o where o.uid = p_uid and to_jsonb(o.id) = p_response -> 'order_id') as is_theirs
  ) as w
$$;

comment on function app.without_person is
  'Returns a response to an administrator without what names a member: nickname, address, account, and texts. A response about another member '
  'is returned unchanged, except who made or decided something.';
