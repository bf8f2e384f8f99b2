-- Guarantee privacy/register-answers: What a member asked of their data, its term and its one answer never change. Only
-- the deletion of the account answers a request for it
-- By: triggers on app.person_requests, app.answer_person_request
begin;
\ir ../support/fixture.psql
select plan(12);

create temporary table m as select pg_temp.sign_up() as uid;
create temporary table r as select a.id from m
  cross join app.ask_person_request(m.uid, 'correction', 'app', 'Lin, not Lim', null, now()) as a;
create function pg_temp.change(p_set text) returns text language plpgsql as $$
begin
  execute 'update app.person_requests set ' || p_set;
  return 'changed';
exception when others then
  return sqlstate;
end
$$;
select is(pg_temp.change(c.set), '23001', format('an open request keeps what is set by %s', c.set)) from (values
  ('kind = ''copy'''), ('channel = ''administrator'''), ('received_at = received_at - interval ''1 day'''),
    ('due_at = due_at + interval ''1 day'''), ('note = ''Lim''')
) as c (set);
select is(pg_temp.change('answer = ''Looked at it'''), 'changed', 'what was done so far is noted');
select app.answer_person_request(r.id, 'done', 'Done', gen_random_uuid(), now()) from r;
select is(pg_temp.change(c.set), '23001', format('an answered request keeps what is set by %s', c.set)) from (values
  ('state = ''open'', closed_at = null, closed_by = null'), ('answer = ''Nothing'''),
    ('closed_at = closed_at - interval ''1 day'''), ('closed_by = null'), ('due_at = due_at')
) as c (set);
select is(pg_temp.change('note = '''''), 'changed', 'but loses the words of a member who leaves');
select * from finish();
rollback;
