-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.handle_new_auth_user()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  -- Cleaned again after the cut, which may leave only blanks.
  v_nickname text := app.visible_text(left(app.visible_text(new.raw_user_meta_data ->> 'nickname'), 64));
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_spread_uid bigint;
  v_uid bigint;
begin
  if app.claim_member(new.id, case when new.phone_confirmed_at is not null then new.phone::text end) is not null then
    return new;
  end if;
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

comment on function app.handle_new_auth_user is
  'Trigger: creates the member of a new Auth account, with the referrer that the share link names if there is such a member. '
  'Invalid metadata never blocks the sign-up: an unusable referrer or avatar is ignored, and invisible characters are removed '
  'from the nickname. An account that belongs to an imported member gets that member instead.';

create trigger every_account_becomes_a_member after insert on auth.users
  for each row execute function app.handle_new_auth_user();
