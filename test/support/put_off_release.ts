import { withConnection } from "../../scripts/postgres/database_server.ts";

/**
 * Moves the daily release of a store to the other side of the day. Else a run of the tests that includes one minute past midnight of the store
 * would find the points of the day released, in some tests and not in others.
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
