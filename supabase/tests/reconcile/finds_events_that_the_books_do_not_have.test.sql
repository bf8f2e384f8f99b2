-- Guarantee money/damage
begin;
\ir ../support/fixture.psql
\ir ../support/forgery.psql
select plan(14);

alter table app.events disable trigger events_are_never_changed;
alter table app.events disable trigger young_events_are_never_deleted;
create temporary table m as select pg_temp.reporter() as uid;
create temporary table o as select pg_temp.report(pg_temp.sign_up(m.uid::text)) as id from m;
create temporary table two as select pg_temp.administrator() as one, pg_temp.administrator() as two;
update app.settings set adjustment_limit_money = 1.00;
select app.decide_adjustment(a.id, d.state, two.two, now())
from two, m, (values ('booked'), ('refused')) as d (state),
  lateral app.create_adjustment(m.uid, 2.00, 0, 0, d.state, two.one, now()) as a;
create temporary table known as select check_name, subject from app.reconcile();
select is_empty('select * from app.compare_events(''-infinity'', ''infinity'')', 'the events tell what is booked, also a request that is decided at its own instant');

select is(pg_temp.found(d.damage), 'events_tell_what_is_booked', format('reconcile() finds %s', d.sentence))
from (values
  ('delete from app.events where type = ''order.paid''', 'events that are gone'),
  ('update app.events set uid = uid - 1 where type = ''commission.earned''', 'an event of another member'),
  (
    'update app.events set payload = payload || ''{"amount": "0.01"}'' where type = ''commission.earned''',
    'an event with another amount'
  ),
  ('update app.events set add_time = add_time + interval ''1 second'' where type = ''order.paid''', 'another time'),
  ('select app.write_event(''member.left'', uid, uid, ''{}'', now()) from m', 'an event without its effect'),
  (
    'insert into app.events (era, type, version, subject, subject_id, uid, payload, cause, add_time)
    select era, type, version, subject, subject_id, uid, payload, cause, add_time from app.events
    where type = ''order.paid'' limit 1', 'an event that is told twice'
  )
) as d (damage, sentence);

-- Since the update to 2.0.0, a day has its events or says that they are forgotten.
create function pg_temp.silent() returns text language sql as $$
  select coalesce(string_agg((d.day - app.business_day(now())) || ': ' || d.effects, ', ' order by d.day), 'none')
  from app.days_without_events() as d
$$;
update app.schema_versions set applied_at = now() - interval '10 days' where version = '2.0.0';
select is(pg_temp.silent(), 'none', 'a day without effects needs no event');
update app.orders set paid_at = paid_at - interval '4 days', add_time = add_time - interval '4 days'
where id = (select id from o);
select is(pg_temp.silent(), '-4: 1', 'the day of an effect has none');
select is(
  (
    select string_agg(r.subject || ' ' || r.actual, ', ') from app.reconcile_events() as r
    where r.check_name = 'every_day_has_its_events'
  ),
  format('business day %s 1 effects without an event', app.business_day(now()) - 4), 'which is a finding'
);
select app.write_event('order.paid', o.id, m.uid, jsonb_build_object('pay_price', '1.00'), now() - interval '4 days')
from o, m;
select is(pg_temp.silent(), 'none', 'with an event, the day is compared instead');
select from app.forget_old_events(now() + interval '87 days', 1000);
select results_eq(
  $$ select f.day, f.event_count from app.forgotten_events as f where f.day < app.business_day(now()) - 2 $$,
  $$ values (app.business_day(now()) - 4, 1::bigint) $$, 'what retention deletes leaves a row of its day'
);
select is(pg_temp.silent(), 'none', 'which stands for the events');

select is_empty(
  $$ select d.type || ' ' || s.source from app.declared_bill_types() as d cross join unnest(d.sources) as s (source)
  except select t.effect from app.told_effects() as t
  union all
  select t.type from app.event_types as t where t.type not in (
    select e.type from app.told_effects() as n cross join unnest(n.event_types) as e (type)
  )
  union all
  select t.effect from app.told_effects() as t
  where (t.frequency <> 'none') <> (t.reason is null) or t.frequency = 'none' and t.figures <> '{}' $$,
  'each kind of bill row and each event says what tells of it, or why nothing does'
);

select * from finish();
rollback;
