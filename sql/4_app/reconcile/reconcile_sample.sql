create or replace function app.reconcile_sample(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select d.*
  from (select greatest(p_from, 1)::integer as first, least(p_to, app.sample_size())::integer as last) as k
  cross join lateral app.reconcile_decisions(
    greatest(k.last - k.first + 1, 0), (select max(s.position) from app.settlements as s), k.first - 1, p_since
  ) as d
$$;

comment on function app.reconcile_sample is 'Decides settlements of a random sample again; p_from and p_to number the orders of the sample. With p_since, the sample is drawn from the settlements since then.';
