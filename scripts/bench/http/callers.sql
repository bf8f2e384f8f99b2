-- Accounts for members that have none, so that they can call; and what the ladder selects as a caller.
create procedure bench.give_accounts(p_uids bigint[])
language plpgsql
as $$
declare
  v_uid bigint;
  v_id uuid;
begin
  -- Members were made with numbers of their own.
  perform setval(pg_get_serial_sequence('app.users', 'uid'), (select max(u.uid) from app.users as u));
  foreach v_uid in array p_uids loop
    v_id := gen_random_uuid();
    -- Signing up makes a member of its own, whose account then becomes the other one's.
    insert into auth.users (email_confirmed_at, id, email, role, raw_user_meta_data) values (
      now(), v_id, v_id || '@example.com', 'authenticated', '{"nickname": "x"}'
    );
    update app.users set auth_id = null where auth_id = v_id;
    update app.users set auth_id = v_id where uid = v_uid;
  end loop;
end
$$;

create function bench.make_administrator(p_email text)
returns uuid
language plpgsql
as $$
begin
  insert into auth.users (email_confirmed_at, id, email, role, raw_user_meta_data)
  values (now(), gen_random_uuid(), p_email, 'authenticated', '{"nickname": "Administrator"}');
  return app.add_administrator(p_email);
end
$$;

create function api.bench_select()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select jsonb_build_object('uid', b.uid, 'frozen_points', b.frozen_points, 'available_points', b.available_points)
    from app.user_balances as b where b.uid = 1
  );
end
$$;
grant execute on function api.bench_select() to authenticated;
