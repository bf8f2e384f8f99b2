begin;
\ir ../../support/fixture.psql
select plan(6);

create function pg_temp.avatar(p_avatar text) returns text language plpgsql as $$
declare
  v_id uuid := gen_random_uuid();
begin
  insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (
    now(), v_id, v_id || '@example.com', jsonb_build_object('avatar', p_avatar)
  );
  return (select u.avatar from app.users as u where u.auth_id = v_id);
end $$;
select is(
  pg_temp.avatar('https://thirdwx.qlogo.cn/mmopen/1/132'), 'https://thirdwx.qlogo.cn/mmopen/1/132',
  'an https address is stored'
);
select is(pg_temp.avatar('javascript:alert(1)'), null, 'a value that is not an address is ignored');
select is(
  char_length(pg_temp.avatar('https://wx.qlogo.cn/' || repeat('x', 492))), 512, 'an address of 512 characters is stored'
);
select is(pg_temp.avatar('https://wx.qlogo.cn/' || repeat('x', 493)), null, 'a longer one is ignored');
select is(pg_temp.avatar(null), null, 'a missing avatar is accepted');
select is(
  pg_temp.avatar('https://tracker.example.com/a.png'), null, 'an avatar of an origin that is not allowed is left out'
);

select * from finish();
rollback;
