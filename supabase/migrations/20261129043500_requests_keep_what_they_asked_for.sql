-- Requests for a table queue behind a statement that waits for its lock or holds it, so both times are limited. If this fails with "lock timeout",
-- nothing has changed: apply it again. If it fails again, an old transaction holds the lock; docs/operations.md, "Migrations", shows how to find it.
-- A statement that needs longer, and takes no lock that stops others, belongs into a migration of its own with a higher limit.
set lock_timeout = '1000ms';
set statement_timeout = '10s';

-- An open request keeps the units that it asked for, whatever is answered (docs/decisions/0175). Answered ones stay as they are.
update app.refund_lines as l set asked = l.quantity
from app.refunds as r
where r.id = l.refund_id and r.state = 'requested' and l.asked is null;

-- A refund of other units refuses no request any more.
update app.event_types set description = 'Units of the order were refunded: a request was granted, or there was none.' where type = 'refund.refunded';
update app.event_types
set keys = '{refund_id, amount, points, has_reason}',
    description = 'The request was refused. has_reason is true if the store says why; the text is the refusal_reason of the refund.'
where type = 'refund.refused';
