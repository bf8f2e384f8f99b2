-- What a grade means to the engine: what it brings per unit of queue goods (R6, R7), and what leads to the next grade.
-- is_counted: whether task counters are kept for its members. next_grade: null where there is none, or it has no tasks.
-- The last four fields are the targets of next_grade, null where it does not have that task.
-- An array of rules has the rule of grade g at index g + 1.
create type app.level_rule as (
  grade smallint,
  direct_points numeric,
  umbrella_points numeric,
  is_counted boolean,
  next_grade smallint,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer
);
