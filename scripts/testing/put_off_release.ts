import { withConnection } from "../postgres/database_server.ts";

/**
 * Moves the daily release of a store to twelve hours from now. Otherwise, it would run in the middle of a test run that
 * passes midnight in the time zone of the store, and what a test finds would depend on whether it runs before or after
 * the release.
 * @param url for the owner of the store
 */
export async function putOffRelease(url: string): Promise<void> {
  await withConnection(
    url,
    (sql) => sql`
      select app.set_schedule(
        'fsgx_release_frozen_points', to_char((now() at time zone s.time_zone) + interval '12 hours', 'FMMI FMHH24 "* * *"'), null, null, now()
      )
      from app.settings as s
    `,
  );
}
