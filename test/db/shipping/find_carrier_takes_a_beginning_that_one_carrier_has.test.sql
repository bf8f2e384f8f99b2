begin;
\ir ../support/fixture.psql
select plan(7);

delete from app.carriers;
insert into app.carriers (code, name, name_zh, is_active) values
  ('YD', 'Yunda Express', '韵达快递', true), ('YDKY', 'Yunda Freight', '韵达快运', true), ('SF', 'SF Express', '顺丰速运', true), ('SFOLD', 'SF', '顺丰', false);
create function pg_temp.found(p_text text) returns text language sql as $$ select (app.find_carrier(p_text)).code $$;

select is(pg_temp.found('sf'), 'SF', 'a code counts before a name, in any case');
select is(pg_temp.found('yunda freight'), 'YDKY', 'an English name is found in any case');
select is(pg_temp.found('韵达快递'), 'YD', 'and a whole Chinese name');
select is(pg_temp.found('顺丰'), 'SFOLD', 'also of a carrier that is not in use');
select is(pg_temp.found('韵达'), null, 'a beginning of two names is neither');
select is(pg_temp.found('韵达快运公司'), null, 'nor is a name with more behind it');
update app.carriers set is_active = false where code = 'YD';
select is(pg_temp.found('韵达'), 'YDKY', 'a beginning means the carrier in use');

select * from finish();
rollback;
