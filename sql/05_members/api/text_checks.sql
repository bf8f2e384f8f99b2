-- How the worker asks WeChat about texts of members.

-- Security definer: no client role may read app.wechat_accounts.
create or replace function api.get_text_check(p_subject text, p_id bigint, p_digest text, p_appid text)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object('openid', w.openid, 'text', t.text)
    from (
      select u.auth_id, u.nickname from app.users as u where p_subject = 'nickname' and u.uid = p_id
      union all
      select u.auth_id, r.reason from app.refunds as r join app.orders as o on o.id = r.order_id
      join app.users as u on u.uid = o.uid
      where p_subject = 'refund_reason' and r.id = p_id
    ) as t (auth_id, text)
    join app.wechat_accounts as w on w.auth_id = t.auth_id and w.appid = p_appid
    where app.text_digest(t.text) = p_digest
    order by w.openid limit 1
  );
end
$$;

comment on function api.get_text_check is
  'Returns a text for WeChat to check, and the openid of the member: {openid, text}. Null if it has changed, or the '
  'member never opened this mini program.';

grant execute on function api.get_text_check(text, bigint, text, text) to service_role;

-- Locks: the member, or the refund.
-- Idempotent: a replaced nickname is another text, and a repeated answer about a reason says the same.
create or replace function api.record_text_check(p_subject text, p_id bigint, p_digest text, p_verdict text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  if not coalesce(p_subject in ('nickname', 'refund_reason') and p_verdict in ('pass', 'review', 'risky'), false) then
    perform app.fail(
      'invalid_argument', 'A text is a nickname or a refund reason, and passes, needs a review, or is risky.'
    );
  elsif p_subject = 'nickname' and p_verdict <> 'pass' then
    update app.users as u
    set nickname = case p_verdict when 'risky' then app.neutral_nickname() else u.nickname end,
      nickname_in_doubt = p_verdict = 'review'
    where u.uid = p_id and app.text_digest(u.nickname) = p_digest and u.nickname <> app.neutral_nickname()
    returning u.uid into v_uid;
    perform app.write_event('profile.nickname_replaced', v_uid, v_uid, '{}', clock_timestamp())
    where v_uid is not null and p_verdict = 'risky';
  elsif p_verdict <> 'pass' then
    update app.refunds as r set reason_check = p_verdict where r.id = p_id and app.text_digest(r.reason) = p_digest;
  end if;
  perform app.finish_outbox('text_check', concat_ws('_', p_subject, p_id, p_digest));
  return jsonb_build_object();
end
$$;

comment on function api.record_text_check is
  'Records what WeChat says of a text, unless it has changed. A risky nickname becomes the neutral one; others that do '
  'not pass are marked for administrators.';

grant execute on function api.record_text_check(text, bigint, text, text) to service_role;
