import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";

// The other settings are in supabase/tests/verification/verify_manifest. What a session began with cannot change during
// a test in SQL.

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

// Guarantee operation/manifest
it.each([
  [
    "replica",
    "error",
    "setting at the beginning of a session",
    "does not belong to the store: session_replication_role=replica",
  ],
  ["origin", "ok", "database", expect.stringMatching(/^\d+ objects are as the migrations created them$/)],
])(
  "a server whose sessions begin with session_replication_role = %s gets the finding %s",
  async (role, severity, subject, message) => {
    const sql = connect(database.url, { connection: { session_replication_role: role } });
    try {
      expect([...(await sql`select severity, subject, message from app.verify_manifest()`)]).toEqual([
        { severity, subject, message },
      ]);
    } finally {
      await sql.end();
    }
  },
);
