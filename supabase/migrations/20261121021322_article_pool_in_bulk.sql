SET local check_function_bodies = off;

DROP FUNCTION "app"."enter_article_pool"(bigint[]);

CREATE OR REPLACE FUNCTION app.enter_article_pool (
  p_cids        bigint[],
  p_article_ids bigint[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with entering as materialized (
    select e.cid, e.id from unnest(p_cids, p_article_ids) as e (cid, id)
  ), ends as materialized (
    -- Before the first of them is written: looking past a million new entries for the last old one would take a million steps.
    select c.cid, coalesce((select max(p.slot) from app.article_pool as p where p.cid = c.cid), 0) as slot
    from (select distinct e.cid from entering as e) as c
  )
  insert into app.article_pool (cid, slot, article_id)
  select e.cid, d.slot + row_number() over (partition by e.cid order by e.id), e.id
  from entering as e
  join ends as d on d.cid = e.cid
$function$;

CREATE OR REPLACE FUNCTION app.keep_article_pool()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool(array_agg(n.cid), array_agg(n.id))
    from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0;
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool(array_agg(o.id)) from old_articles as o;
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool;
  else
    -- Differences of sets take the same steps for one article as for a million; the plan of a join would be kept from the first.
    perform app.leave_article_pool(array_agg(l.id)) from (
      select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
      except select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
    ) as l;
    perform app.enter_article_pool(array_agg(e.cid), array_agg(e.id)) from (
      select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
      except select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
    ) as e;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION app.leave_article_pool (
  p_article_ids bigint[]
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_left record;
  v_last bigint;
begin
  for v_left in
    with gone as (
      -- Joined, not compared with the array: that would go through the whole array for every row.
      delete from app.article_pool as p using unnest(p_article_ids) as i (id) where p.article_id = i.id returning p.cid, p.slot
    )
    select g.cid, array_agg(g.slot order by g.slot) as gaps, max(g.slot) as last_gap from gone as g group by g.cid
  loop
    -- The last number there was, less as many as left.
    select greatest(max(p.slot), v_left.last_gap) - cardinality(v_left.gaps) into v_last
    from app.article_pool as p where p.cid = v_left.cid;
    -- As many articles stand behind the new end as there are gaps before it.
    update app.article_pool as p set slot = gap.slot
    from (
      select q.slot, row_number() over (order by q.slot) as place
      from app.article_pool as q
      where q.cid = v_left.cid and q.slot > v_last
    ) as behind
    join unnest(v_left.gaps) with ordinality as gap (slot, place) on gap.place = behind.place
    where p.cid = v_left.cid and p.slot = behind.slot;
  end loop;
end
$function$;

REVOKE ALL ON FUNCTION "app"."enter_article_pool"(bigint[], bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."enter_article_pool"(bigint[], bigint[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."enter_article_pool"(bigint[], bigint[]) TO "postgres";
