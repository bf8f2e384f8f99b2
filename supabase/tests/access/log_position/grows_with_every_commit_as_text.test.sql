begin;
\ir ../../support/fixture.psql
select plan(4);

select matches(app.log_position(), '^[0-9A-F]{8}-[0-9A-F]{8}/[0-9A-F]{8}$', 'timeline and position');
select is(
  left(app.log_position(), 8), (select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint()),
  'it begins with the timeline of the server'
);
create temporary table earlier as select app.log_position() as position;
insert into app.article_categories (title) values ('Written later');
select cmp_ok(app.log_position(), '>', (select position from earlier), 'it is greater after a write');
select is(
  substr(app.log_position(), 10)::pg_lsn >= pg_current_wal_flush_lsn(), true, 'it includes what is not flushed yet'
);

select * from finish();
rollback;
