-- Guarantee privacy/action-log: The action log has no names and texts
-- By: app.record_action
begin;
\ir ../../support/fixture.psql
select plan(6);

create function pg_temp.recorded(
  p_before jsonb, p_after jsonb, p_kept text[] default null
) returns jsonb language plpgsql as $$
begin
  perform app.record_action('try_it', 'product', '1', p_before, p_after, p_kept);
  return (select jsonb_build_array(a.from_value, a.to_value) from app.admin_actions as a order by a.id desc limit 1);
end $$;
select is(
  pg_temp.recorded('{"a": 1, "b": 2}', '{"a": 1, "b": 3}'), '[{"b": 2}, {"b": 3}]', 'changed values are recorded'
);
select is(
  pg_temp.recorded('{"a": 1, "name": "Ann"}', '{"a": 2, "name": "Bea"}', '{a}'),
  '[{"a": 1}, {"a": 2, "name": "changed"}]', 'for values that are not allowed, only the change is recorded'
);
select is(
  pg_temp.recorded(null, '{"a": 1, "name": "Ann"}', '{a}'), '[null, {"a": 1, "name": "changed"}]',
  'a new target has no values before'
);
select is(
  pg_temp.recorded('{"a": 1, "name": "Ann"}', null, '{a}'), '[{"a": 1}, null]', 'a deleted target has no values after'
);
select is(
  pg_temp.recorded('{"a": null, "updated_at": 1, "updated_by": 2}', '{"a": 5, "updated_at": 3, "updated_by": 4}'),
  '[{"a": null}, {"a": 5}]', 'the time and the actor of the change are not repeated'
);
select throws_ok($$ select pg_temp.recorded(null, null) $$, '23514', null, 'an action needs values before or after');

select * from finish();
rollback;
