-- Trigger: every Auth account becomes a member, under the referrer of its share link if that can be used.
-- Nothing that came with it blocks the sign-up: a share link that cannot be used (missing, unknown, not a number, huge) is passed
-- over, a nickname is cleaned of what nobody sees.
-- Security definer: the Auth server's role has no rights on schema app.
create or replace function app.handle_new_auth_user()
returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  -- Cut after it is cleaned, and looked at once more: the cut may leave nothing visible.
  v_nickname text := app.visible_text(left(app.visible_text(new.raw_user_meta_data ->> 'nickname'), 64));
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_spread_uid bigint;
  v_uid bigint;
begin
  if v_spread ~ '^[0-9]{1,18}$' then
    select u.uid into v_spread_uid from app.users as u where u.uid = v_spread::bigint;
  end if;
  insert into app.users (auth_id, nickname, phone, spread_uid, spread_time, avatar)
  values (
    new.id, coalesce(v_nickname, 'Member'), nullif(left(new.phone, 32), ''),
    v_spread_uid, case when v_spread_uid is not null then now() end,
    case when app.is_web_address(v_avatar) and char_length(v_avatar) <= 512 then v_avatar end
  )
  returning uid into v_uid;
  insert into app.user_balances (uid) values (v_uid);
  return new;
end
$$;

create trigger every_account_becomes_a_member after insert on auth.users
  for each row execute function app.handle_new_auth_user();
