create sequence app.positions;
comment on sequence app.positions is
  'The order of all decisions about money, points and levels: settlements, refunds and changes of flags, grades and referrers '
  'take the next value while they hold their locks. Any past state can be restored from it.';
