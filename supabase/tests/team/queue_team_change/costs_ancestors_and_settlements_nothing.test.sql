begin;
\ir ../../support/fixture.psql
select plan(9);

-- What a statement does to the tables of the team totals: rows inserted, updated, deleted and read.
create function pg_temp.counters() returns table (
  relname name, ins bigint, upd bigint, del bigint, read bigint
) language sql volatile as $$
  select s.relname, s.n_tup_ins, s.n_tup_upd, s.n_tup_del, s.seq_tup_read + coalesce(s.idx_tup_fetch, 0)
  from pg_stat_xact_user_tables as s where s.relname ~ '^team_'
$$;
create function pg_temp.touched(p_work text) returns text language plpgsql as $$
declare v_touched text; begin
  create temporary table before on commit drop as select * from pg_temp.counters();
  execute p_work;
  select string_agg(
    format(
      '%s: %s inserted, %s changed, %s read', a.relname, a.ins - b.ins, a.upd - b.upd + a.del - b.del, a.read - b.read
    ),
    '; '
  )
  into v_touched
  from pg_temp.counters() as a join before as b using (relname)
  where (a.ins, a.upd, a.del, a.read) <> (b.ins, b.upd, b.del, b.read);
  drop table before;
  return coalesce(v_touched, 'nothing');
end $$;

create temporary table m as select pg_temp.reporter() as top;
create temporary table n as select pg_temp.reporter((select top from m)) as middle;
create temporary table o as select pg_temp.sign_up((select middle::text from n)) as buyer;
select pg_temp.sum_teams();
create temporary table p as
select (
  app.create_order(
    (select buyer from o),
    (select jsonb_build_array(jsonb_build_object('product_id', g.flagship, 'quantity', 2)) from goods as g), now()
  )
).id;
select is(pg_temp.touched('select pg_temp.sign_up()'), 'nothing', 'a sign-up without a referrer adds no row');
select is(
  pg_temp.touched('select pg_temp.sign_up((select buyer::text from o))'), 'team_changes: 1 inserted, 0 changed, 0 read',
  'a sign-up adds a row of its own to the queue'
);
select is(
  pg_temp.touched('select app.pay_order(id, ''test'', ''paid'', now()) from p'),
  'team_changes: 1 inserted, 0 changed, 0 read', 'a payment adds a row of its own to the queue'
);
select is(pg_temp.touched('select app.settle_order(id, now()) from p'), 'nothing', 'a settlement adds no row');
select is(
  (select count(*) from app.user_bill as l join p on p.id = l.order_id where l.uid = (select middle from n)), 2::bigint,
  'the settlement has paid the referrer'
);
select is(pg_temp.touched('select app.confirm_receipt(id, now()) from p'), 'nothing', 'a receipt adds no row');
select is(
  pg_temp.touched('select app.request_refund(id, null, '''', now()) from p'), 'nothing', 'a refund request adds no row'
);
select is(
  pg_temp.touched('select app.refund_order(id, null, null, now()) from p'),
  'team_changes: 1 inserted, 0 changed, 0 read', 'a refund of all units adds a row to the queue'
);
select is(
  pg_temp.touched('select app.release_members(''2026-01-02'', array[(select middle from n)], now())'), 'nothing',
  'a release adds no row'
);

select * from finish();
rollback;
