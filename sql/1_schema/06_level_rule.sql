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
comment on type app.level_rule is
  'What a grade means to the engine: its points for each unit of queue goods (R6, R7) and the tasks of the next grade. An array '
  'of rules has the rule of grade g at index g + 1. The last four fields are targets of next_grade, null if it does not have '
  'that task.';
comment on column app.level_rule.is_counted is 'Whether task counts are maintained for members of this grade.';
comment on column app.level_rule.next_grade is 'The next active grade; null if there is none or if it has no tasks.';
