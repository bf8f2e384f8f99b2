begin;
\ir ../../support/fixture.psql
select plan(6);

create function pg_temp.recorded(p_before jsonb, p_after jsonb, p_kept text[] default null) returns jsonb language plpgsql as $$
begin
  perform app.record_action('try_it', 'product', '1', p_before, p_after, p_kept);
  return (select jsonb_build_array(a.from_value, a.to_value) from app.admin_actions as a order by a.id desc limit 1);
end $$;
select is(pg_temp.recorded('{"a": 1, "b": 2}', '{"a": 1, "b": 3}'), '[{"b": 2}, {"b": 3}]', 'what differs is kept');
select is(pg_temp.recorded('{"a": 1, "name": "Ann"}', '{"a": 2, "name": "Bea"}', '{a}'), '[{"a": 1}, {"a": 2, "name": "changed"}]', 'of what is not to be kept, only that it changed');
select is(pg_temp.recorded(null, '{"a": 1, "name": "Ann"}', '{a}'), '[null, {"a": 1, "name": "changed"}]', 'something new has nothing before it');
select is(pg_temp.recorded('{"a": 1, "name": "Ann"}', null, '{a}'), '[{"a": 1}, null]', 'something that is gone has nothing after it');
select is(pg_temp.recorded('{"a": null, "updated_at": 1, "updated_by": 2}', '{"a": 5, "updated_at": 3, "updated_by": 4}'), '[{"a": null}, {"a": 5}]', 'the time and the actor are the record''s own');
select throws_ok($$ select pg_temp.recorded(null, null) $$, '23514', null, 'an action is about something');

select * from finish();
rollback;
