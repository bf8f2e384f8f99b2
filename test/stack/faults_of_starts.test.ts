import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { eventually } from "../../scripts/testing/command.ts";
import { faultyStack } from "./faulty_stack.ts";

const { at, owner, startLog, part, postmaster, responds, comesBack } = faultyStack();

// The tests run in order. Each starts from the state that the previous one left.
skipFor(describe, lacking("linux"))("starts and ends of a stack under faults", { concurrent: false }, () => {
  it("a start waits for a stack that is still stopping", async () => {
    const auth = part("auth/server.ts");
    // It cannot end before it is resumed.
    process.kill(auth, "SIGSTOP");
    process.kill(owner().pid, "SIGTERM");
    await eventually(() => owner().phase === "stopping");
    // Otherwise it kills what does not end within twenty seconds, in which the start may not yet have looked.
    const { pid } = owner();
    process.kill(pid, "SIGSTOP");
    const { code, output } = await at().follow(
      (line) => {
        if (line.includes("still stopping")) for (const each of [auth, pid]) process.kill(each, "SIGCONT");
      },
      "start",
      "--detach",
    );
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/still stopping \(process \d+\); waiting \.\.\.(.|\n)*The stack is up\./),
    ]);
    expect(await responds("/functions/v1/api/health")).toBe(true);
  });

  // Guarantee faults/start: `npm start` works after a stack was killed in whatever state, and under variables for other
  // programs
  // By: one's own server is ended first, `stopLeftover` in scripts/postgres/cluster.ts; an environment of its own for
  // each process, scripts/ground/environment.ts
  it("a start ends a Postgres of its own that does not shut down, although it keeps the port", async () => {
    const sql = connect(readStackFile(at().place)!.database_url);
    const [session] = await sql`select pg_backend_pid() as pid`;
    // A fast shutdown waits for it for ever.
    process.kill(session!.pid as number, "SIGSTOP");
    const left = postmaster();
    process.kill(owner().pid, "SIGKILL");
    const { code, output } = await at().run("start", "--detach");
    expect([code, output]).toEqual([0, expect.stringContaining("The stack is up.")]);
    expect(postmaster()).not.toBe(left);
    await sql.end({ timeout: 0 });
  });

  it("a stack comes up and stays although the command that waited for it was ended", async () => {
    expect((await at().run("stop")).code).toBe(0);
    const starting = spawn(
      process.execPath,
      [join(projectRoot, "scripts/bootstrap.mjs"), "commands/start.ts", "--detach"],
      {
        env: { ...process.env, ...at().environment },
        stdio: "ignore",
      },
    );
    await eventually(() => owner()?.phase === "starting");
    starting.kill("SIGTERM");
    await eventually(() => owner()?.phase !== "starting");
    expect(owner().phase).toBe("up");
    expect(await responds("/functions/v1/api/health")).toBe(true);
    // Also after the parent is told.
    expect((await at().run("start", "--detach")).output).toContain("The stack is already running");
  });

  it("stops when a part exits repeatedly, with the end of its log and advice that deletes no data", async () => {
    for (let times = 1; times <= 5; times++)
      await comesBack("The edge function poster", "/functions/v1/api/health", () =>
        process.kill(part("/poster/index.js"), "SIGKILL"),
      );
    process.kill(part("/poster/index.js"), "SIGKILL");
    await eventually(() => !existsSync(at().place.ownerFile));
    const end = startLog().slice(startLog().lastIndexOf("The edge function poster was terminated"));
    expect(end).toContain("It was restarted 5 times within 10 minutes.\nRun `npm start` again.");
    expect(end).not.toContain("--reset");
    await expect(fetch(`http://127.0.0.1:${at().environment.PORT}/`)).rejects.toThrow();
  });

  it("reports that Postgres was killed during the start instead of an error of the driver", async () => {
    const { code, output } = await at().follow((line) => {
      if (line.includes("Postgres is running")) process.kill(postmaster(), "SIGKILL");
    }, "start");
    expect([code, output]).toEqual([1, expect.stringContaining("Postgres was terminated by SIGKILL.")]);
    expect(output).toContain("Run `npm start` again: Postgres recovers all committed data.");
    expect(output).not.toMatch(/--reset|Unexpected error|^ +at /m);
  });

  it("reports a shutdown from outside with the log of Postgres", async () => {
    const { code, output } = await at().run("start", "--detach");
    expect(code, output).toBe(0);
    await comesBack("Postgres", "/functions/v1/api/health", () => process.kill(postmaster(), "SIGQUIT"));
    expect(startLog()).toMatch(
      /Postgres was shut down from outside \(status 0\)\. Its log, .*, ends with:\n(.*\n)*.*received immediate shutdown request/,
    );
  });
});
