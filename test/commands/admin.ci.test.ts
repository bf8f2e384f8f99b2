import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { call, expectProblem, signUp } from "../api/client.ts";
import { connect, stack, supabaseClient } from "../support/index.ts";
import { run } from "./run.ts";

const { database_url, supabase_url, secret_key } = stack();
const project = { DATABASE_URL: database_url, SUPABASE_URL: supabase_url, SUPABASE_SECRET_KEY: secret_key };
const sql = connect(database_url);
afterAll(() => sql.end());

const newEmail = () => `office-${randomUUID()}@example.com`;
const signIn = async (email: string, password: string) => {
  const { data, error } = await supabaseClient().auth.signInWithPassword({ email, password });
  return error ? expect.fail(error.message) : data.session.access_token;
};

describe("npm run admin", () => {
  it("creates the first administrator, who signs in with the printed password and may act", async () => {
    const email = newEmail();
    const { code, stdout, output } = await run("admin", ["add", email, "--name", "Wang Li", "--json"], project);
    expect(code, output).toBe(0);
    const added = JSON.parse(stdout) as { email: string; password: string };
    expect(added).toMatchObject({ email, password: expect.stringMatching(/^[\w-]{20}$/) });
    const overview = await call("GET", "/adminapi/overview", { token: await signIn(email, added.password) });
    expect(overview.status).toBe(200);
    // The account is no member, and other administrators see its name.
    expect(
      (await sql`select from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`).length,
    ).toBe(0);
    expect(
      (await sql`select app.actor_json(id) ->> 'nickname' as name from auth.users where email = ${email}`)[0],
    ).toEqual({
      name: "Wang Li",
    });
  });

  it("makes a member an administrator, keeps the password, and may be repeated", async () => {
    const member = await signUp("Becomes an administrator");
    for (const _ of [1, 2]) {
      const { code, output } = await run("admin", ["add", member.email.toUpperCase()], { DATABASE_URL: database_url });
      expect(code, output).toBe(0);
      expect(output).toContain("with the password of the account");
    }
    expect(
      (await call("GET", "/adminapi/overview", { token: await signIn(member.email, member.password) })).status,
    ).toBe(200);
  });

  it("removes the second factor of an administrator who has lost it, and ends the sessions", async () => {
    const { email } = await signUp("Lost the phone");
    const reset = (address: string) => run("admin", ["reset-factor", address], { DATABASE_URL: database_url });
    expect((await run("admin", ["add", email], { DATABASE_URL: database_url })).code).toBe(0);
    expect(await reset(email)).toMatchObject({ code: 1, output: expect.stringContaining("has no second factor") });
    await sql`
      insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users where email = ${email}`;
    expect(await reset(email)).toMatchObject({ code: 0, output: expect.stringContaining("were removed") });
    expect(
      await sql`select from auth.sessions as s join auth.users as u on u.id = s.user_id where u.email = ${email}`,
    ).toHaveLength(0);
  });

  it("lists administrators, and removes them with immediate effect", async () => {
    const member = await signUp("Leaves the office");
    const database = { DATABASE_URL: database_url };
    expect((await run("admin", ["add", member.email], database)).code).toBe(0);
    const token = await signIn(member.email, member.password);
    const listed = async () =>
      (
        JSON.parse((await run("admin", ["list", "--json"], database)).stdout) as { email: string; may_act: boolean }[]
      ).find(({ email }) => email === member.email);
    expect(await listed()).toMatchObject({ may_act: true, roles: ["owner"] });
    expect((await run("admin", ["list"], database)).output).toMatch(
      new RegExp(`${member.email} +Leaves the office +owner +\\S+ +yes`),
    );
    expect(await run("admin", ["remove", member.email], database)).toMatchObject({
      code: 0,
      output: expect.stringContaining("no longer an administrator"),
    });
    expectProblem(await call("GET", "/adminapi/overview", { token }), "forbidden");
    expect(await listed()).toBeUndefined();
    expect(await run("admin", ["remove", member.email], database)).toMatchObject({
      code: 1,
      output: expect.stringContaining("is not an administrator"),
    });
  });

  it("gives roles, and changes them with immediate effect", async () => {
    const member = await signUp("Keeps the books");
    const database = { DATABASE_URL: database_url };
    expect(await run("admin", ["add", member.email, "--roles", "finance, service"], database)).toMatchObject({
      code: 0,
      output: expect.stringContaining("with the roles: finance, service."),
    });
    const token = await signIn(member.email, member.password);
    expect((await call("GET", "/adminapi/me", { token })).body).toEqual({
      auth_id: expect.any(String),
      name: "Keeps the books",
      roles: ["finance", "service"],
      areas: ["members", "money", "orders", "records", "refunds"],
    });
    expect((await run("admin", ["add", member.email], database)).output).toContain("with the roles: finance, service.");
    expect((await run("admin", ["add", member.email, "--roles", "content"], database)).code).toBe(0);
    expect((await call("GET", "/adminapi/me", { token })).body).toMatchObject({
      roles: ["content"],
      areas: ["content"],
    });
    expect((await run("admin", ["list"], database)).output).toMatch(
      new RegExp(`${member.email} +Keeps the books +content +\\S+ +yes`),
    );
  });

  it("rejects an account that anybody may have created", async () => {
    const member = await signUp("Never confirmed");
    await sql`update auth.users set email_confirmed_at = null, confirmation_sent_at = now() where email = ${member.email}`;
    expect(await run("admin", ["add", member.email], project)).toMatchObject({
      code: 2,
      output: expect.stringContaining("was never confirmed"),
    });
    expect(
      (
        await sql`select from app.administrators as a join auth.users as u on u.id = a.auth_id where u.email = ${member.email}`
      ).length,
    ).toBe(0);
    // Whoever has confirmed the address has not chosen the password.
    await sql`update auth.users set email_confirmed_at = now() where email = ${member.email}`;
    expect(await run("admin", ["add", member.email], project)).toMatchObject({
      code: 0,
      output: expect.stringContaining("it no longer works"),
    });
    expect((await supabaseClient().auth.signInWithPassword(member)).error?.code).toBe("invalid_credentials");
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ["without an address", ["add"], project, "needs the email address"],
    ["with something that is no address", ["add", "chen"], project, "needs the email address"],
    ["with an address for a list", ["list", "chen@example.com"], project, "takes no email address"],
    [
      "with an action that does not exist",
      ["promote", "chen@example.com"],
      project,
      "Allowed choices are add, remove, reset-factor, list",
    ],
    [
      "with a role that does not exist",
      ["add", "chen@example.com", "--roles", "king"],
      project,
      "The roles are owner, finance, service, content",
    ],
    ["with roles for a removal", ["remove", "chen@example.com", "--roles", "finance"], project, "takes no roles"],
    [
      "with a wrong secret key",
      ["add", newEmail()],
      { ...project, SUPABASE_SECRET_KEY: "sb_secret_wrong" },
      "rejected the secret key",
    ],
    [
      "with an Auth server that does not respond",
      ["add", newEmail()],
      { ...project, SUPABASE_URL: "http://127.0.0.1:1" },
      "could not be reached",
    ],
    [
      "with an address of a project that is none",
      ["add", newEmail()],
      { ...project, SUPABASE_URL: "my project" },
      "is not the address of a project",
    ],
    [
      "with a project but without its database",
      ["add", newEmail()],
      { ...project, DATABASE_URL: "" },
      "DATABASE_URL is not",
    ],
    [
      "for a new account without the secret key",
      ["add", newEmail()],
      { ...project, SUPABASE_SECRET_KEY: "" },
      "SUPABASE_SECRET_KEY",
    ],
  ])("%s, changes nothing, says why and exits with 2", async (_how, args, environment, message) => {
    const count = async () =>
      (await sql`select count(*) as count from auth.users where email = ${args[1] ?? ""}`)[0]!.count;
    const before = await count();
    const { code, output } = await run("admin", args, environment);
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
    expect(output).not.toMatch(/^ +at |Unexpected error/m);
    expect(await count()).toBe(before);
  });
});
