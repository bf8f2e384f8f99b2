-- A small store for the judges of this folder, and what must hold after two sessions have used it.
create schema outside;
create table outside.ids (name text primary key, id bigint not null);

create function outside.id(p_name text) returns bigint language sql stable as $$ select i.id from outside.ids as i
  where i.name = p_name $$;

create function outside.member(p_name text, p_referrer text default null) returns void language plpgsql as $$
declare
  v_account uuid := gen_random_uuid();
begin
  insert into auth.users (email_confirmed_at, id, raw_user_meta_data)
  values (
    now(), v_account,
    case when p_referrer is null then '{}' else jsonb_build_object('spread', outside.id(p_referrer)) end
  );
  insert into outside.ids select p_name, u.uid from app.users as u where u.auth_id = v_account;
end
$$;

create function outside.order(p_name text, p_buyer text, p_is_paid boolean) returns void language plpgsql as $$
begin
  insert into outside.ids
  select p_name, o.id
  from app.create_order(
    outside.id(p_buyer), jsonb_build_array(jsonb_build_object('product_id', outside.id('goods'), 'quantity', 1)), now()
  ) as o;
  if p_is_paid then
    perform app.pay_order(outside.id(p_name), 'test', 'outside-' || outside.id(p_name), now());
  end if;
end
$$;

-- ann has an order of her own; ben and cem below her have paid, and eva has not. Of the last piece there is one.
create function outside.prepare() returns void language plpgsql as $$
begin
  delete from outside.ids;
  with added as (
    insert into app.products (title, price, is_queue_goods, is_show) values ('Goods', 3600.00, true, true) returning id
  )
  insert into outside.ids select 'goods', id from added;
  with added as (
    insert into app.products (title, price, is_queue_goods, is_show, stock) values ('Last piece', 10.00, false, true, 1)
    returning id
  )
  insert into outside.ids select 'last_piece', id from added;
  perform outside.member('ann');
  perform outside.member('ben', 'ann');
  perform outside.member('cem', 'ann');
  perform outside.order('own', 'ann', true);
  perform app.settle_order(outside.id('own'), now());
  perform outside.order('first', 'ben', true);
  perform outside.order('second', 'cem', true);
  perform outside.order('unpaid', 'ben', false);
end
$$;

-- Runs a call of the store. @returns done, or the code of the error of the store
create function outside.try(p_call text) returns text language plpgsql as $$
begin
  execute 'select ' || p_call;
  return 'done';
exception when others then
  if sqlstate not like 'PT%' then
    raise;
  end if;
  return sqlerrm;
end
$$;

-- The bill of a member, without what differs between permutations.
create function outside.sums(p_name text) returns text language sql stable as $$
  select coalesce(string_agg(format('%s %s', b.type, b.amount), ', ' order by b.type collate "C"), 'nothing')
  from (
    select l.type, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount from app.user_bill as l
    where l.uid = outside.id(p_name) group by l.type
  ) as b
$$;

create function outside.check(p_holds boolean) returns text language sql stable as $$
  select case
    when not coalesce(p_holds, false) then 'WRONG: ' || outside.sums('ann')
    else coalesce(
      (
        select 'FOUND: ' || string_agg(f.check_name, ', ' order by f.check_name) from app.reconcile() as f
        where f.check_name not in ('job_is_not_dead', 'job_is_not_late')
      ),
      'HOLDS'
    )
  end
$$;
