import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { eventually } from "../../scripts/testing/command.ts";
import { faultyStack } from "./faulty_stack.ts";

const { at, info, startLog, part, postmaster, responds, comesBack } = faultyStack();

// The tests run in order. Each starts from the state that the previous one left.
skipFor(describe, lacking("linux"))("a stack under faults", { concurrent: false }, () => {
  it("restarts a killed edge function, reports it and keeps its log", async () => {
    await responds("/functions/v1/api/health");
    const before = readFileSync(at().place.logFile("function_api"), "utf8");
    await comesBack("The edge function api", "/functions/v1/api/health", () =>
      process.kill(part("/api/index.js"), "SIGKILL"),
    );
    expect(startLog()).toContain("The edge function api was terminated by SIGKILL.");
    expect(startLog()).toContain("The edge function api is restarting (restart 1 of at most 5 in 10 minutes).");
    const after = readFileSync(at().place.logFile("function_api"), "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toMatch(/^=== \d{4}-.* The edge function api starts\n/);
  });

  it("restarts a killed Auth server", async () => {
    await comesBack("The Auth server", "/auth/v1/health", () => process.kill(part("auth/server.ts"), "SIGKILL"));
  });

  // Guarantee faults/connection-lost: A lost connection ends no process: the Auth server of the local stack and the
  // commands go on, or end with the cause
  // By: a patch of the driver (decision 0169)
  it("accepts sign-ups again after the Auth server has lost its connections during a statement", async () => {
    const signUp = () =>
      fetch(`${info().supabase_url}/auth/v1/signup`, {
        method: "POST",
        headers: { apikey: info().publishable_key, "content-type": "application/json" },
        body: JSON.stringify({ email: "new@example.com", password: "correct horse" }),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
    const sql = connect(info().database_url, { max: 2 });
    const auth = part("auth/server.ts");
    await sql.begin(async (transaction) => {
      await transaction`lock table auth.users in access exclusive mode`;
      const lost = signUp();
      const waiting = () =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'supabase_auth_admin' and wait_event_type = 'Lock'`;
      await eventually(async () => (await waiting()).length > 0);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'supabase_auth_admin'`;
      expect(await lost).toBe(false);
    });
    await sql.end();
    await eventually(signUp);
    expect(part("auth/server.ts")).toBe(auth);
  });

  // Guarantee faults/process-ended: A process of the local stack that ends is started again
  // By: scripts/ground/running.ts
  it("restarts a Postgres that was killed during a long statement, and prints the cause from its log", async () => {
    const sql = connect(info().database_url, { max: 2 });
    await sql`create table public.kept as select 1 as row`;
    const computing = sql`do $$ begin loop null; end loop; end $$`.catch((error: Error) => error);
    await eventually(
      async () => (await sql`select from pg_stat_activity where query like 'do %' and state = 'active'`).length > 0,
    );
    await comesBack("Postgres", "/functions/v1/api/health", () => process.kill(postmaster(), "SIGKILL"));
    expect(await computing).toBeInstanceOf(Error);
    // The driver does not notice that its idle connections are lost.
    await sql.end({ timeout: 1 });
    // Messages of Postgres for its clients do not explain its exit.
    expect(startLog()).toMatch(
      /Postgres was terminated by SIGKILL\. Its log, .*, ends with:\n(.* LOG: {2}.*\n)+Postgres is restarting/,
    );
    const after = connect(info().database_url);
    expect(await after`select row from public.kept`).toEqual([{ row: 1 }]);
    await after.end();
    await eventually(() => responds("/auth/v1/health"));
  });
});
