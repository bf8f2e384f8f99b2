SET local check_function_bodies = off;

CREATE TABLE "app"."article_pool_guard" (
  "id"         boolean NOT NULL DEFAULT true,
  "changed_in" bigint  NOT NULL DEFAULT 0,
  CONSTRAINT "article_pool_guard_pkey" PRIMARY KEY (id),
  CONSTRAINT "there_is_only_one_row" CHECK (id)
);

ALTER TABLE "app"."article_pool_guard"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "app"."article_pool" (
  "cid"        bigint NOT NULL,
  "slot"       bigint NOT NULL,
  "article_id" bigint NOT NULL,
  CONSTRAINT "article_pool_pkey" PRIMARY KEY (cid, slot) INCLUDE (article_id),
  CONSTRAINT "slots_start_at_one" CHECK ((slot >= 1))
);

ALTER TABLE "app"."article_pool"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION api.get_required_article()
  RETURNS jsonb
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with drawn as materialized (
    -- Drawn once: where it is compared it would be drawn for every row.
    select c.id as cid, 1 + floor(random() * last.slot)::bigint as slot
    from app.article_categories as c
    cross join lateral (select p.slot from app.article_pool as p where p.cid = c.id order by p.slot desc limit 1) as last
    where c.is_sign_in_ad and not c.hidden and not c.is_del
  )
  select jsonb_build_object(
    'id', a.id, 'cid', a.cid, 'title', a.title, 'author', a.author, 'image_input', a.image_input,
    'synopsis', a.synopsis, 'content', a.content, 'url', a.url, 'add_time', app.utc(a.add_time)
  )
  from drawn as d
  join app.article_pool as p on p.cid = d.cid and p.slot = d.slot
  join app.articles as a on a.id = p.article_id
$function$;

CREATE OR REPLACE FUNCTION app.enter_article_pool (
  p_article_ids bigint[]
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  with entering as materialized (
    select a.id, a.cid
    from app.articles as a
    where a.id = any (p_article_ids) and a.status = 1 and a.is_del = 0 and a.hidden = 0
      and not exists (select from app.article_pool as p where p.article_id = a.id)
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
declare
  v_moved bigint[];
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool((select array_agg(n.id) from new_articles as n));
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool((select array_agg(o.id) from old_articles as o));
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool;
  else
    select array_agg(n.id) into v_moved
    from old_articles as o
    join new_articles as n on n.id = o.id
    where (o.cid, o.status, o.is_del, o.hidden) is distinct from (n.cid, n.status, n.is_del, n.hidden);
    if v_moved is not null then
      perform app.leave_article_pool(v_moved);
      perform app.enter_article_pool(v_moved);
    end if;
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
$function$;

CREATE OR REPLACE FUNCTION app.lock_article_pool()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  update app.article_pool_guard set changed_in = txid_current() where changed_in <> txid_current();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION app.reconcile()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select * from app.reconcile_balances()
  union all select * from app.reconcile_amounts()
  union all select * from app.reconcile_counters()
  union all select * from app.reconcile_settlements()
  union all select * from app.reconcile_releases()
  union all select * from app.reconcile_refunds()
  union all select * from app.reconcile_article_pool()
$function$;

CREATE OR REPLACE FUNCTION app.reconcile_article_pool()
  RETURNS TABLE (
    check_name text,
    subject    text,
    expected   text,
    actual     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    'article_pool_holds_what_may_be_read', format('article %s', coalesce(a.id, p.article_id)),
    coalesce(format('category %s', a.cid), 'in no pool'), coalesce(format('category %s', p.cid), 'in no pool')
  from (select b.id, b.cid from app.articles as b where b.status = 1 and b.is_del = 0 and b.hidden = 0) as a
  full join app.article_pool as p on p.article_id = a.id and p.cid = a.cid
  where a.id is null or p.article_id is null
  union all
  select 'article_pool_has_no_gap', format('category %s', p.cid), count(*)::text, max(p.slot)::text
  from app.article_pool as p
  group by p.cid
  having count(*) <> max(p.slot)
$function$;

CREATE UNIQUE INDEX article_pool_article_is_in_once ON app.article_pool USING btree (article_id) INCLUDE (cid, slot);

CREATE TRIGGER changes_lock_the_pool_first
  BEFORE UPDATE OF cid, status, is_del, hidden ON app.articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.lock_article_pool();

CREATE TRIGGER deletes_lock_the_pool_first
  BEFORE DELETE ON app.articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.lock_article_pool();

CREATE TRIGGER inserts_lock_the_pool_first
  BEFORE INSERT ON app.articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.lock_article_pool();

CREATE TRIGGER the_pool_follows_changed_articles
  AFTER UPDATE ON app.articles REFERENCING OLD TABLE AS old_articles NEW TABLE AS new_articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.keep_article_pool();

CREATE TRIGGER the_pool_follows_deleted_articles
  AFTER DELETE ON app.articles REFERENCING OLD TABLE AS old_articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.keep_article_pool();

CREATE TRIGGER the_pool_follows_new_articles
  AFTER INSERT ON app.articles REFERENCING NEW TABLE AS new_articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.keep_article_pool();

CREATE TRIGGER the_pool_is_emptied_with_the_articles
  AFTER TRUNCATE ON app.articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.keep_article_pool();

CREATE TRIGGER truncates_lock_the_pool_first
  BEFORE TRUNCATE ON app.articles
  FOR EACH STATEMENT
  EXECUTE FUNCTION app.lock_article_pool();

CREATE POLICY "everyone_reads_the_article_pool" ON "app"."article_pool"
  FOR SELECT
  TO "anon", "authenticated", "store_admin", "service_role"
  USING (true);

CREATE POLICY "admins_read_the_article_pool_guard" ON "app"."article_pool_guard"
  FOR SELECT
  TO "store_admin", "service_role"
  USING (true);

COMMENT ON TABLE "app"."article_pool" IS 'Readable articles by category and a gapless number, from which the sign-in gate draws (app.keep_article_pool).';

COMMENT ON TABLE "app"."article_pool_guard" IS 'Lock of app.article_pool; changed_in is the transaction that took it last.';

REVOKE ALL ON FUNCTION "app"."enter_article_pool"(bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."enter_article_pool"(bigint[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."enter_article_pool"(bigint[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."keep_article_pool"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."keep_article_pool"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."keep_article_pool"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."leave_article_pool"(bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."leave_article_pool"(bigint[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."leave_article_pool"(bigint[]) TO "postgres";

REVOKE ALL ON FUNCTION "app"."lock_article_pool"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."lock_article_pool"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."lock_article_pool"() TO "postgres";

REVOKE ALL ON FUNCTION "app"."reconcile_article_pool"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."reconcile_article_pool"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."reconcile_article_pool"() TO "postgres";

GRANT SELECT ON TABLE "app"."article_pool" TO "anon", "authenticated", "store_admin", "service_role";

GRANT SELECT ON TABLE "app"."article_pool_guard" TO "store_admin", "service_role";

insert into app.article_pool_guard (id) values (true) on conflict do nothing;

-- Articles that were there before.
insert into app.article_pool (cid, slot, article_id)
select a.cid, row_number() over (partition by a.cid order by a.id), a.id
from app.articles as a
where a.status = 1 and a.is_del = 0 and a.hidden = 0;
