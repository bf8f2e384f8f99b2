create or replace function app.masked_account(p_account_no text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when char_length(p_account_no) >= 11 then left(p_account_no, 3) || '****' || right(p_account_no, 4) else '****' || right(p_account_no, 2) end
$$;

comment on function app.masked_account is 'Returns an account number with its middle hidden, for members and for lists.';
