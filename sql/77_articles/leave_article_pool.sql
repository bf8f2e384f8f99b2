-- Takes articles out of the pool. The last articles of each category move into the gaps, so the numbers stay 1 to n; the
-- work depends on how many leave, not on how many there are.
-- Callers: the triggers that keep the pool, under the lock of lock_article_pool. Safe twice: who is not in it is passed over.
create or replace function app.leave_article_pool(p_article_ids bigint[])
returns void
language plpgsql
set search_path = ''
as $$
declare
  v_cid bigint;
  v_last bigint;
  v_gaps bigint[];
begin
  for v_cid in select distinct p.cid from app.article_pool as p where p.article_id = any (p_article_ids) order by p.cid loop
    select max(p.slot) into v_last from app.article_pool as p where p.cid = v_cid;
    with gone as (
      delete from app.article_pool as p where p.cid = v_cid and p.article_id = any (p_article_ids) returning p.slot
    )
    select array_agg(g.slot order by g.slot) into v_gaps from gone as g;

    v_last := v_last - cardinality(v_gaps);
    -- As many articles stand behind the new end as there are gaps before it.
    update app.article_pool as p set slot = gap.slot
    from (
      select q.slot, row_number() over (order by q.slot) as place from app.article_pool as q where q.cid = v_cid and q.slot > v_last
    ) as behind
    join unnest(v_gaps) with ordinality as gap (slot, place) on gap.place = behind.place
    where p.cid = v_cid and p.slot = behind.slot;
  end loop;
end
$$;
