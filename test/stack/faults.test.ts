import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentOwner, type Owner } from "../../scripts/ground/owner.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import type { State } from "../../scripts/ground/state.ts";
import { lacking } from "../support/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { childrenOf, type CommandPlace, eventually, newCommandPlace } from "./command.ts";

let at: CommandPlace;
beforeAll(async () => {
  at = await newCommandPlace();
  const { code, output } = await at.run("start", "--no-demo", "--detach");
  expect(code, output).toBe(0);
});
afterAll(async () => {
  await at.run("stop");
  await at.remove();
});

const info = () => readStackFile(at.place)!;
const owner = () => currentOwner(at.place) as Owner;
const startLog = () => readFileSync(at.place.logFile("start"), "utf8");
const occurrences = (text: string, of: string) => text.split(of).length - 1;
/** The process id of a part, found by a word in its command line. */
const part = (word: string) => childrenOf(owner().pid).find(({ command }) => command.includes(word))!.pid;
const postmaster = () => {
  const { data_directory } = JSON.parse(readFileSync(at.place.stateFile, "utf8")) as State;
  return Number(readFileSync(join(data_directory, "postmaster.pid"), "utf8").split("\n")[0]);
};
const responds = (path: string) =>
  fetch(`${info().supabase_url}${path}`, { headers: { apikey: info().publishable_key } }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Kills a part and waits until the start log reports that it is up again and its path responds. */
async function comesBack(name: string, path: string, kill: () => unknown): Promise<void> {
  const before = occurrences(startLog(), `${name} is up again.`);
  await kill();
  await eventually(() => occurrences(startLog(), `${name} is up again.`) > before);
  await eventually(() => responds(path));
}

// The tests run in order. Each starts from the state that the previous one left.
skipFor(describe, lacking("linux"))("a stack under faults", { concurrent: false }, () => {
  it("restarts a killed edge function, reports it and keeps its log", async () => {
    await responds("/functions/v1/api/health");
    const before = readFileSync(at.place.logFile("function_api"), "utf8");
    await comesBack("The edge function api", "/functions/v1/api/health", () => process.kill(part("/api/index.js"), "SIGKILL"));
    expect(startLog()).toContain("The edge function api was terminated by SIGKILL.");
    expect(startLog()).toContain("The edge function api is restarting (restart 1 of at most 5 in 10 minutes).");
    const after = readFileSync(at.place.logFile("function_api"), "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toMatch(/^=== \d{4}-.* The edge function api starts\n/);
  });

  it("restarts a killed Auth server", async () => {
    await comesBack("The Auth server", "/auth/v1/health", () => process.kill(part("auth/server.ts"), "SIGKILL"));
  });

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
  });

  it("restarts a killed Postgres, which recovers, and prints the cause from its log", async () => {
    const sql = connect(info().database_url);
    await sql`create table public.kept as select 1 as row`;
    await sql.end();
    await comesBack("Postgres", "/functions/v1/api/health", () => process.kill(postmaster(), "SIGKILL"));
    // Messages of Postgres for its clients do not explain its exit.
    expect(startLog()).toMatch(/Postgres was terminated by SIGKILL\. Its log, .*, ends with:\n(.* LOG: {2}.*\n)+Postgres is restarting/);
    const after = connect(info().database_url);
    expect(await after`select row from public.kept`).toEqual([{ row: 1 }]);
    await after.end();
    await eventually(() => responds("/auth/v1/health"));
  });

  it("a start waits for a stack that is still stopping", async () => {
    const auth = part("auth/server.ts");
    // It cannot end before it is resumed.
    process.kill(auth, "SIGSTOP");
    process.kill(owner().pid, "SIGTERM");
    await eventually(() => owner().phase === "stopping");
    const { code, output } = await at.follow(
      (line) => {
        if (line.includes("still stopping")) process.kill(auth, "SIGCONT");
      },
      "start",
      "--detach",
    );
    expect([code, output]).toEqual([0, expect.stringMatching(/still stopping \(process \d+\); waiting \.\.\.(.|\n)*The stack is up\./)]);
    expect(await responds("/functions/v1/api/health")).toBe(true);
  });

  it("stops when a part exits repeatedly, with the end of its log and advice that deletes no data", async () => {
    for (let times = 1; times <= 5; times++)
      await comesBack("The edge function poster", "/functions/v1/api/health", () => process.kill(part("/poster/index.js"), "SIGKILL"));
    process.kill(part("/poster/index.js"), "SIGKILL");
    await eventually(() => !existsSync(at.place.ownerFile));
    const end = startLog().slice(startLog().lastIndexOf("The edge function poster was terminated"));
    expect(end).toContain("It was restarted 5 times within 10 minutes.\nRun `npm start` again.");
    expect(end).not.toContain("--reset");
    await expect(fetch(`http://127.0.0.1:${at.environment.PORT}/`)).rejects.toThrow();
  });

  it("reports that Postgres was killed during the start instead of an error of the driver", async () => {
    const { code, output } = await at.follow((line) => {
      if (line.includes("Postgres is running")) process.kill(postmaster(), "SIGKILL");
    }, "start");
    expect([code, output]).toEqual([1, expect.stringContaining("Postgres was terminated by SIGKILL.")]);
    expect(output).toContain("Run `npm start` again: Postgres recovers all committed data.");
    expect(output).not.toMatch(/--reset|Unexpected error|^ +at /m);
  });

  it("reports a shutdown from outside with the log of Postgres", async () => {
    const { code, output } = await at.run("start", "--detach");
    expect(code, output).toBe(0);
    await comesBack("Postgres", "/functions/v1/api/health", () => process.kill(postmaster(), "SIGQUIT"));
    expect(startLog()).toMatch(
      /Postgres was shut down from outside \(status 0\)\. Its log, .*, ends with:\n(.*\n)*.*received immediate shutdown request/,
    );
  });
});
