begin;
\ir ../support/fixture.psql
grant store_api to postgres;
select plan(15);

delete from app.settings_checks;
create temporary table a as select pg_temp.administrator() as id;
create function pg_temp.write(p_minute integer) returns text language plpgsql as $$
declare
  v_is_written boolean := app.write_notice(
    (select a.id from a), timestamptz '2026-01-01 00:00+00' + make_interval(mins => p_minute)
  );
begin
  return concat_ws(
    ' ', v_is_written, (select count(*) from app.outbox as o where o.kind = 'notice'),
    (select cardinality(c.told) from app.notice_choices as c)
  );
end
$$;
create function pg_temp.says() returns jsonb language sql as $$
  select app.notice_json(c.notice_no, now()) -> 'list' from app.notice_choices as c
$$;

select is(
  pg_temp.call(
    a.id, 'set_own_notices', '{"p_kinds": ["late_job", "shipment"], "p_language": "zh", "p_minutes": 60}'
  )::jsonb - 'email' - 'is_set_up',
  '{"kinds": ["shipment", "late_job"], "language": "zh", "minutes": 60, "noticed_at": null}',
  'an administrator chooses kinds, a language and an interval'
) from a;
select is(
  pg_temp.call(a.id, 'set_own_notices', jsonb_build_object('p_kinds', k.kinds, 'p_language', 'en', 'p_minutes', 60)),
  'PT422 invalid_argument', k.name
)
from a,
  (
    values ('["shipment", "shipment"]'::jsonb, 'a kind twice is refused'), ('[1]', 'a kind that is no text is refused'),
    ('{"shipment": 1}', 'kinds that are no list are refused')
  ) as k (kinds, name);

select is(pg_temp.write(0), 'f 0 0', 'without work, there is no notice');
create temporary table m as select pg_temp.sign_up() as uid;
create temporary table o as select pg_temp.buy(m.uid) as id from m;
insert into app.outbox (kind, key, state, run_after, created_at) values (
  'upload_shipping', '1', 'failed', now(), now()
);
select is(pg_temp.write(1), 't 1 1', 'new work of a chosen kind is told; a failed call, which is not chosen, is not');
select is(pg_temp.says(), '[{"kind": "shipment", "count": 1, "is_more": false}]', 'the notice has kind and count');
select is(pg_temp.write(2), 'f 1 1', 'a repeated call tells nothing anew');
select pg_temp.buy(m.uid) is not null from m;
select is(pg_temp.write(60), 'f 1 1', 'within the interval, new work is not told');
select is(pg_temp.write(61), 't 1 2', 'at its end it is, and replaces a notice that was not sent');
select is(
  (select o.payload from app.outbox as o where o.kind = 'notice'),
  (select jsonb_build_object('notice_no', c.notice_no) from app.notice_choices as c), 'the outbox has its number only'
);
update app.orders set state = 'delivered', delivered_at = now() where id = (select o.id from o);
select is(pg_temp.write(200), 'f 1 1', 'what is done is no longer among what was told');
update app.orders set state = 'paid', delivered_at = null where id = (select o.id from o);
select is(pg_temp.write(201), 't 1 2', 'so that it is new if it waits again');
update app.administrators set roles = '{content}' where auth_id = (select a.id from a);
select is(pg_temp.says(), null, 'a role that no longer allows the kind is told nothing');
select is(api.begin_notice((select c.notice_no from app.notice_choices as c)), 'null', 'and the notice is not sent');

select * from finish();
rollback;
