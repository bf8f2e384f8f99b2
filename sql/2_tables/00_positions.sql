-- The order of everything that decides about money, points and levels: settlements, refunds, changes of flags, grades and
-- referrers each take the next position while they hold their locks, so that any past state can be restored.
create sequence app.positions;
