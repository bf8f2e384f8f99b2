begin;
\ir ../support/fixture.psql
select plan(14);

update app.settings set h5_share_url = 'https://shop.example.com/h5';
create function pg_temp.claim(
  p_url text default 'https://shop.example.com/h5/?spread=1'
) returns jsonb language sql as $$ select api.claim_wechat_ticket('wx1', p_url) $$;
create function pg_temp.state() returns text language sql as $$ select pg_temp.claim() ->> 'state' $$;
create function pg_temp.later(p_time interval) returns void language sql as $$
  update app.wechat_tokens set expires_at = expires_at - p_time, asking_until = asking_until - p_time
$$;

select is(pg_temp.state(), 'ask', 'the first one asks WeChat');
select is(pg_temp.state(), 'wait', 'the next one waits');
select pg_temp.later('10 seconds');
select is(pg_temp.state(), 'ask', 'after ten seconds without a ticket, another one asks');
select api.save_wechat_token('wx1', 'ticket', 7200, 'jsapi_ticket');
select is(pg_temp.claim(), '{"state": "known", "ticket": "ticket"}', 'then everybody gets the ticket');
select is(api.get_wechat_token('wx1'), null, 'a ticket is no access token');
select api.save_wechat_token('wx1', 'token', 7200);
select is(pg_temp.claim() ->> 'ticket', 'ticket', 'nor an access token a ticket');
select pg_temp.later('116 minutes');
select is(pg_temp.state(), 'ask', 'five minutes before it expires, one asks for the next');
select api.save_wechat_token('wx1', null, 10, 'jsapi_ticket');
select is(pg_temp.claim(), '{"state": "failed", "ticket": null}', 'if WeChat gave none, nobody asks again at once');
select pg_temp.later('10 seconds');
select is(pg_temp.state(), 'ask', 'but after ten seconds');

select throws_ok(
  $$ select pg_temp.claim('https://elsewhere.example.com/h5/') $$, 'PT422', 'invalid_argument',
  'a page elsewhere is not signed'
);
select throws_ok(
  $$ select pg_temp.claim('http://shop.example.com/h5/') $$, 'PT422', 'invalid_argument',
  'nor by plain http, if the store has https'
);
select throws_ok(
  $$ select pg_temp.claim('https://shop.example.com@elsewhere.example.com/') $$, 'PT422', 'invalid_argument',
  'nor one that hides its host'
);
select throws_ok('select pg_temp.claim(null)', 'PT422', 'invalid_argument', 'nor no address');
select throws_ok(
  $$ select api.save_wechat_token('wx1', 'x', 10, 'other') $$, 'PT422', 'invalid_argument',
  'there is no other kind of token'
);

select * from finish();
rollback;
