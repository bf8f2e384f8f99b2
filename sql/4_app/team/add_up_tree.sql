-- Each member passes their sum on when the last one below has done so. The number of steps is the number of members, however deep
-- the tree is; a recursive query would visit an ancestor once for every member below.
create or replace function app.add_up_tree(
  p_referrers integer[], p_members integer[], p_orders integer[], out members integer[], out orders integer[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_open integer[];
  v_index integer;
  v_referrer integer;
begin
  v_open := array_fill(0, array[coalesce(cardinality(p_referrers), 0)]);
  members := v_open;
  orders := v_open;
  foreach v_referrer in array coalesce(p_referrers, '{}') loop
    if v_referrer is not null then
      v_open[v_referrer] := v_open[v_referrer] + 1;
    end if;
  end loop;
  for v_start in 1..cardinality(v_open) loop
    v_index := v_start;
    while v_open[v_index] = 0 loop
      v_open[v_index] := -1;
      v_referrer := p_referrers[v_index];
      exit when v_referrer is null;
      members[v_referrer] := members[v_referrer] + members[v_index] + p_members[v_index];
      orders[v_referrer] := orders[v_referrer] + orders[v_index] + p_orders[v_index];
      v_open[v_referrer] := v_open[v_referrer] - 1;
      v_index := v_referrer;
    end loop;
  end loop;
end
$$;

comment on function app.add_up_tree is
  'Returns, for each member of a tree, the sums of p_members and p_orders over all members below, at any depth. p_referrers holds '
  'the index of each member''s referrer, or null. It reads no table.';
