begin;
\ir ../../support/fixture.psql
\ir ../../support/webhooks.psql
select plan(4);

create temporary table hooks as select pg_temp.webhook(s) as id, s as state from unnest('{on, off}'::text[]) as s;
update app.webhooks as w set state = h.state from hooks as h where w.id = h.id;
insert into app.webhook_deliveries (webhook_id, kind, type, message_id, body, state, run_after, ended_at, created_at)
select h.id, 'test', 'webhook.test', concat_ws(' ', h.state, d.state, d.days), '{}', d.state, now(),
  case when d.state <> 'waiting' then now() - make_interval(days => d.days) end, now() - make_interval(days => d.days)
from hooks as h
cross join (
  values ('delivered', 29), ('delivered', 31), ('given_up', 31), ('waiting', 89), ('waiting', 91)
) as d (state, days);

select is(app.forget_old_deliveries(now(), 3), 3, 'the first run is limited');
select is(app.forget_old_deliveries(now(), 3), 1, 'the second takes the rest');
select is(app.forget_old_deliveries(now(), 3), 0, 'the third nothing');
select is(
  (select string_agg(message_id, ', ' order by message_id) from app.webhook_deliveries),
  'off delivered 29, off waiting 89, on delivered 29, on waiting 89, on waiting 91',
  'what is young is kept, and what waits at a webhook that is on'
);

select * from finish();
rollback;
