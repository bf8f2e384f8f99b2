-- The rows of one day's release and nothing else, in the same chunks and commits.
create procedure bench.write_release(p_day date)
language plpgsql
as $$
declare
  v_from bigint := 1;
  v_last bigint := (select max(b.uid) from app.user_balances as b);
begin
  while v_from <= v_last loop
    with moved as (
      update app.user_balances as b
      set frozen_points = b.frozen_points - 6, available_points = b.available_points + 6
      where b.uid between v_from and v_from + 249
      returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
    ),
    logged as (
      insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
      select m.uid, p_day, m.frozen_points + 6, 6, m.frozen_points, clock_timestamp() from moved as m
    )
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate,
      add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -6, 6, m.brokerage_price, m.frozen_points, m.available_points,
      m.frozen_points + 6, 0.0004, clock_timestamp()
    from moved as m;
    commit;
    v_from := v_from + 250;
  end loop;
end
$$;
