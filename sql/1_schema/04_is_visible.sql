-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_visible(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~ '[^\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
$$;

comment on function app.is_visible is
  'Returns whether a text has a visible character: one that is not a blank, a control character or a mark of text direction, '
  'and that has width and shape.';
