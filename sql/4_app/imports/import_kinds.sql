-- A time is checked as far as a pattern can; app.import_time checks the day of the month.
-- Lengths are not in the patterns: matching [!-~]{1,64} takes several times as long as matching [!-~]+ and counting.
create or replace function app.import_kinds()
returns table (kind text, pattern text, max_length integer, finding text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select k.* from (values
    ('id', '^[1-9][0-9]*$', 15, 'is not a whole number from 1'),
    ('count', '^[0-9]+$', 9, 'is not a whole number from 0'),
    ('quantity', '^[1-9][0-9]*$', 4, 'is not a whole number from 1 to 9999'),
    ('money', '^-?[0-9]{1,9}([.][0-9]{0,2}0*)?$', null, 'is not an amount of money with at most 2 decimals'),
    ('amount', '^[0-9]{1,9}([.][0-9]{0,2}0*)?$', null, 'is not an amount of money from 0 with at most 2 decimals'),
    ('points', '^[0-9]{1,13}([.][0-9]{0,4}0*)?$', null, 'is not a number of points from 0 with at most 4 decimals'),
    ('signed_points', '^-?[0-9]{1,13}([.][0-9]{0,4}0*)?$', null, 'is not a number with at most 4 decimals'),
    ('flag', '^(0|1|true|false)$', null, 'is not 0 or 1'),
    ('code', '^[!-~]+$', 64, 'is not a code of 1 to 64 printable ASCII characters'),
    ('reference', '^[!-~]+$', 128, 'is not a reference of 1 to 128 printable ASCII characters'),
    ('state', '^(unpaid|paid|delivered|received|cancelled)$', null, 'is not unpaid, paid, delivered, received or cancelled'),
    ('refund_state', '^(refunded|requested)$', null, 'is not refunded or requested'),
    ('title', '^.+$', 200, 'is not a text of 1 to 200 characters'),
    ('time', '^(19[7-9][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])?$', null,
      'is not a time such as 2026-01-31T08:30:00+08:00'),
    ('text', null, null, null)
  ) as k (kind, pattern, max_length, finding)
$$;

comment on function app.import_kinds is
  'Returns the kinds of values in files of an import: the pattern that a value must match (null: any text), '
  'how many characters it can have (null: as many as the pattern allows), and the finding if it does not fit.';
