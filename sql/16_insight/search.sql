-- Finding what an administrator types: members, orders, withdrawals, batches, bill rows and products. Each kind is read
-- by an index and is a short list. Query plans are generic, because a session keeps them, and made without sequential
-- scans, as one that was cached while a table was empty would have. Texts are compared as ranges, and so have no
-- wildcards: see app.find_orders.

create or replace function app.most_found()
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select 5
$$;

comment on function app.most_found is 'Returns how many results of a kind a search returns at most.';

grant execute on function app.most_found() to store_admin;

create or replace function app.search_members(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_idle constant bigint[] := app.idle_administrators();
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'uid', u.uid, 'nickname', u.nickname, 'agent_level_name', g.name, 'left_at', app.utc(u.left_at)
        )
        order by f.rank, lower(u.nickname), u.uid
      ),
      '[]'
    )
    from (
      select m.uid, min(m.rank) as rank
      from (
        select u.uid, 1 as rank from app.users as u where u.uid = app.search_number(p_text)
        union all
        (
          select u.uid, 2 from app.users as u
          where app.may_search_names() and char_length(p_text) > 1 and lower(u.nickname) ~>=~ lower(p_text)
            and lower(u.nickname) ~<=~ (lower(p_text) || U&'\+10FFFF')
            and u.uid <> all (v_idle)
          order by lower(u.nickname) using ~<~ limit app.most_found()
        )
      ) as m
      group by m.uid order by rank, m.uid limit app.most_found()
    ) as f
    join app.users as u on u.uid = f.uid
    join app.agent_levels as g on g.grade = u.agent_level
    where u.uid <> all (v_idle)
  );
end
$$;

comment on function app.search_members is
  'Returns the members with this uid, or whose nickname begins with the text of two or more characters, ignoring case '
  '(app.may_search_names), without app.idle_administrators.';

grant execute on function app.search_members(text) to store_admin;

create or replace function app.search_orders(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'order_no', o.order_no, 'state', o.state, 'shown_state', app.shown_state(o.state, o.refund_status),
      'pay_price', o.pay_price::text, 'uid', o.uid, 'nickname', u.nickname
    ) order by f.rank, o.id desc), '[]')
    from (
      select m.id, min(m.rank) as rank
      from (
        select o.id, 1 as rank from app.orders as o where o.id = app.search_number(p_text)
        union all
        (
          select o.id, 2 from app.orders as o
          where char_length(p_text) >= 4 and reverse(o.order_no) ~>=~ reverse(p_text)
            and reverse(o.order_no) ~<=~ (reverse(p_text) || U&'\+10FFFF')
          order by reverse(o.order_no) using ~<~ limit app.most_found()
        )
        union all
        (
          select p.order_id, 2 from app.parcels as p where p.tracking_no in (p_text, upper(p_text)) order by p.order_id
          limit app.most_found()
        )
      ) as m
      group by m.id order by rank, m.id desc limit app.most_found()
    ) as f
    join app.orders as o on o.id = f.id
    join app.users as u on u.uid = o.uid
  );
end
$$;

comment on function app.search_orders is
  'Returns the orders with this id, with a parcel of this tracking number, or whose number ends with the text of four '
  'or more characters.';

grant execute on function app.search_orders(text) to store_admin;

create or replace function app.search_withdrawals(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', w.id, 'withdrawal_no', w.withdrawal_no, 'state', w.state, 'amount', w.amount::text, 'uid', w.uid,
      'nickname', u.nickname
    ) order by w.id), '[]')
    from (
      select w.id from app.withdrawals as w where w.withdrawal_no = upper(p_text)
      union
      select w.id from app.withdrawals as w where w.id = app.search_number(p_text)
    ) as f
    join app.withdrawals as w on w.id = f.id
    join app.users as u on u.uid = w.uid
  );
end
$$;

comment on function app.search_withdrawals is 'Returns the withdrawals with this number or id.';

grant execute on function app.search_withdrawals(text) to store_admin;

create or replace function app.search_batches(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('id', b.id, 'batch_no', b.batch_no, 'method', b.method, 'amount', b.amount::text)
        order by b.id
      ),
      '[]'
    )
    from (
      select b.id from app.withdrawal_batches as b where b.batch_no = upper(p_text)
      union
      select b.id from app.withdrawal_batches as b where b.id = app.search_number(p_text)
    ) as f
    join app.withdrawal_batches as b on b.id = f.id
  );
end
$$;

comment on function app.search_batches is 'Returns the batches of withdrawals with this number or id.';

grant execute on function app.search_batches(text) to store_admin;

create or replace function app.search_bill(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_row app.user_bill;
begin
  v_row := app.bill_row(app.search_number(p_text));
  if v_row.id is null then
    return jsonb '[]';
  end if;
  return jsonb_build_array(jsonb_build_object(
    'id', v_row.id, 'type', v_row.type, 'source', v_row.source, 'uid', v_row.uid, 'nickname',
    (select u.nickname from app.users as u where u.uid = v_row.uid),
    'add_time', app.utc(v_row.add_time)
  ));
end
$$;

comment on function app.search_bill is 'Returns the bill row with this id, as a list.';

grant execute on function app.search_bill(text) to store_admin;

-- People remember a word from the middle of a name.
create or replace function app.search_products(p_text text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found constant bigint[] := case when char_length(p_text) > 1 then app.find_products(p_text) end;
begin
  return (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('id', f.id, 'title', f.title, 'image', f.image, 'is_show', f.is_show)
        order by f.place, f.id desc
      ),
      '[]'
    )
    from (
      select p.id, p.title, p.images[1] as image, p.is_show, position(lower(p_text) in lower(p.title)) as place
      from app.products as p
      where p.id = any (v_found)
      order by place, p.id desc limit app.most_found()
    ) as f
  );
end
$$;

comment on function app.search_products is
  'Returns the products whose name contains the text of two or more characters, ignoring case: where it comes '
  'earliest first, then the newest.';

grant execute on function app.search_products(text) to store_admin;
