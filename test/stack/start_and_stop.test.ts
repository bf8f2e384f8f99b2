import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Owner } from "../../scripts/stack/owner.ts";
import type { StackInfo } from "../../scripts/stack/stack.ts";
import { freePort } from "../../scripts/stack/ports.ts";
import { connect } from "../support/index.ts";
import { childrenOf, type CommandPlace, eventually, newCommandPlace } from "./command.ts";

let at: CommandPlace;
beforeAll(async () => {
  at = await newCommandPlace();
});
afterAll(async () => {
  await at.run("stop");
  await at.remove();
});

const info = () => JSON.parse(readFileSync(at.place.stackFile, "utf8")) as StackInfo;

async function shareAddress(): Promise<string> {
  const sql = connect(info().database_url);
  const [settings] = await sql`select h5_share_url from app.settings`;
  await sql.end();
  return settings!.h5_share_url;
}

// One story: each step begins where the one before has left the stack.
describe("the commands start and stop", { concurrent: false }, () => {
  it("a port that is taken is named, with the variable that moves ours", async () => {
    const other = createServer().listen(Number(at.environment.PORT), "127.0.0.1");
    const { code, output } = await at.run("start", "--no-demo");
    other.close();
    expect(output).toContain(`Port ${at.environment.PORT} is taken`);
    expect(output).toContain("PORT=");
    expect(code).toBe(1);
  });

  it("the first start sets everything up and tells tools where it is", async () => {
    const { code, output } = await at.run("start", "--no-demo", "--detach");
    expect(code, output).toBe(0);
    expect(info()).toMatchObject({ supabase_url: `http://127.0.0.1:${at.environment.PORT}`, users: [] });
    const health = await fetch(`${info().functions_url}/api/health`);
    expect(health.status).toBe(200);
  });

  it("the owner of the migrations is no superuser", async () => {
    const sql = connect(info().database_url);
    const [role] = await sql`select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user`;
    await sql.end();
    expect(role).toEqual({ name: "postgres", rolsuper: false, rolbypassrls: true });
  });

  it("what is not served is a problem document", async () => {
    const response = await fetch(`${info().supabase_url}/rest/v1/users`);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  });

  it("a second start says that it is running, and where", async () => {
    const { code, output } = await at.run("start");
    expect([code, output.includes(info().supabase_url)]).toEqual([0, true]);
  });

  it("a reset of a running stack is refused", async () => {
    const { code, output } = await at.run("start", "--reset");
    expect([code, output.includes("npm stop")]).toEqual([1, true]);
  });

  it("the data outlive a stop, and stack.json does not; the share address follows the port", async () => {
    const before = connect(info().database_url);
    await before`create schema kept`;
    await before.end();
    expect(await shareAddress()).toBe(`${info().supabase_url}/h5`);
    await at.run("stop");
    expect(existsSync(at.place.stackFile)).toBe(false);

    at.environment.PORT = String(await freePort());
    expect((await at.run("start", "--detach")).code).toBe(0);
    expect(await shareAddress()).toBe(`http://127.0.0.1:${at.environment.PORT}/h5`);
    const after = connect(info().database_url);
    expect(await after`select 1 from pg_namespace where nspname = 'kept'`).toHaveLength(1);
    await after.end();
  });

  it("a stack that was killed leaves nothing running, and the next start goes on with its data", async () => {
    const { pid } = JSON.parse(readFileSync(at.place.ownerFile, "utf8")) as Owner;
    const parts = childrenOf(pid);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    process.kill(pid, "SIGKILL");
    await eventually(() => parts.every((part) => !existsSync(`/proc/${part.pid}/exe`)));
    const { code, output } = await at.run("start", "--detach");
    expect(code, output).toBe(0);
    expect(output).toContain("The stack is up.");
  });

  it("stopping twice is no error", async () => {
    expect((await at.run("stop")).output, readFileSync(at.place.logFile("start"), "utf8")).toContain("Stopped.");
    expect(await at.run("stop")).toMatchObject({ code: 0, output: "The stack is not running.\n" });
  });
});
