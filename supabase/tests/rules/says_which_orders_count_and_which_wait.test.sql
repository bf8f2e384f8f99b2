begin;
\ir ../support/fixture.psql
select plan(48);

-- States of a refund: 0 none, 1 requested, 2 refunded, 3 refunded in part.
select is(
  app.is_counted(c.units, c.status::smallint, c.below), c.is_counted,
  format('counts for tasks: units %s, refund %s, below the minimum %s', c.units, c.status, c.below)
)
from (values
  (1, 0, false, true), (1, 3, false, true), (1, 1, false, false), (1, 2, false, false), (0, 0, false, false),
    (0, 3, false, false), (1, 0, true, false), (1, 3, true, false)
) as c (units, status, below, is_counted);
select is(
  app.is_reported(c.paid_at, c.units, c.status::smallint, c.below), c.is_reported,
  format(
    'is reported: paid %s, units %s, refund %s, below the minimum %s', c.paid_at is not null, c.units, c.status, c.below
  )
) from (values
  (now(), 1, 0, false, true), (now(), 1, 1, false, true), (now(), 1, 3, false, true), (now(), 1, 2, false, false),
    (now(), 0, 0, false, false), (now(), 1, 0, true, false), (null, 1, 0, false, false)
) as c (paid_at, units, status, below, is_reported);
select is(
  app.is_to_ship(c.state, c.status::smallint), c.is_to_ship,
  format('waits for its shipment: %s, refund %s', c.state, c.status)
)
from (values
  ('paid', 0, true), ('paid', 1, true), ('paid', 3, true), ('paid', 2, false), ('unpaid', 0, false),
    ('delivered', 0, false), ('received', 0, false), ('cancelled', 0, false)
) as c (state, status, is_to_ship);
select is(
  app.return_state(
    case when c.asked then now() end, case when c.sent then now() end, case when c.received then now() end
  ),
  c.state, format('goods: asked for %s, sent %s, received %s', c.asked, c.sent, c.received)
)
from (values
  (false, false, false, null), (true, false, false, 'asked'), (true, true, false, 'sent'),
    (true, true, true, 'received'), (true, false, true, 'received')
) as c (asked, sent, received, state);
select is(
  app.refund_waits(c.state, case when c.asked then now() end, case when c.received then now() end), c.waits,
  format('waits for the store: %s, asked for %s, received %s', c.state, c.asked, c.received)
)
from (values
  ('requested', false, false, true), ('requested', true, false, false), ('requested', true, true, true),
    ('refused', false, false, false), ('refunded', true, true, false)
) as c (state, asked, received, waits);

-- What is left of an amount, and what points pay: rounded down, from the whole.
select is(app.amount_left(10, 3, n), left_over, format('of 10.00 for 3 units, after %s', n))
from (values (0, 10.00), (1, 6.66), (2, 3.33), (3, 0.00)) as c (n, left_over);
select is(app.points_left(10, 3, n), left_over, format('of 10 points for 3 units, after %s', n))
from (values (0, 10.0000), (1, 6.6666), (2, 3.3333), (3, 0.0000)) as c (n, left_over);
select is(app.money_of_points(c.points, c.rate), c.money, format('%s points at %s for 1.00', c.points, c.rate))
from (values
  (1, 1.00, 1.00), (0.0199, 1.00, 0.01), (0.0099, 1.00, 0.00), (10, 3.00, 3.33), (100, 0.01, 10000.00)
) as c (points, rate, money);
select is(app.money_share(c.money, c.part, c.whole), c.share, format('of %s, %s of %s', c.money, c.part, c.whole))
from (values (10, 1, 3, 3.33), (10, 3, 3, 10.00)) as c (money, part, whole, share);

select * from finish();
rollback;
