-- Security invoker: the policies of the two tables apply to the caller.
create view app.taken_places with (security_invoker = true) as
select
  s.earner_uid, s.cycle_no, s.place, s.cycle_plan_version, s.order_id, s.eligible_since, s.position, s.place_freed_at, s.place_freed_position
from app.settlements as s
where s.earner_uid is not null
union all
select c.uid, 1, p.place::smallint, c.plan_version, null, null, 0, null, null
from app.opening_cycles as c
cross join generate_series(1, c.places) as p (place);
comment on view app.taken_places is
  'All places that were ever taken in the cycles of members: by orders, and, with order_id null, those that imported members brought. '
  'The engine reads places here.';
grant select on app.taken_places to store_admin, service_role;
