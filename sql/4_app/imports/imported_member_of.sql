create or replace function app.imported_member_of(p_auth_id uuid, p_phone text, out uid bigint, out claimed_by text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select m.uid, c.claimed_by
  from (
    select i.uid, 'openid' as claimed_by, 1 as rank
    from app.wechat_accounts as w join app.imported_openids as i on i.openid = w.openid and coalesce(i.appid, w.appid) = w.appid
    where w.auth_id = p_auth_id
    union all
    select i.uid, 'unionid', 2 from app.wechat_accounts as w join app.imported_members as i on i.unionid = w.unionid where w.auth_id = p_auth_id
    union all
    select i.uid, 'phone', 3 from app.imported_members as i where i.phone = p_phone
  ) as c
  join app.imported_members as m on m.uid = c.uid and m.claimed_at is null
  order by c.rank
  limit 1
$$;

comment on function app.imported_member_of is
  'Returns the imported member whom nobody has claimed and who belongs to an account, by the ids that WeChat has verified for the '
  'account or by a phone number that Auth or WeChat has verified, and how they were found.';
