import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../../scripts/testing/context.ts";
import { connect, stack, supabaseClient } from "../support/index.ts";
import { type Account, accountIdOf, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { prove } from "./proof.ts";

const sql = connect(stack().database_url);
let owner: Account;
let colleague: Account;
let member: Account;
/** The token of the owner after they have proved a second factor. */
let proved: string;

beforeAll(async () => {
  [owner, colleague, member] = await Promise.all([signUpAdmin("Chief"), signUpAdmin("Helper"), signUp("A member")]);
  proved = await prove(owner);
});
afterAll(() => sql.end());

interface Person {
  auth_id: string | null;
  invitation_id: number | null;
  email: string;
  name: string;
  roles: string[];
  state: string;
}

const console_url = () => `${stack().supabase_url}/console/`;
const people = async () => (await call("GET", "/adminapi/administrator", { token: owner.token })).body.list as Person[];
const invite = (email: string, roles: string[], more: object = {}, token = proved) =>
  call("POST", "/adminapi/administrator/invitation", {
    token,
    json: { email, roles, redirect_to: console_url(), ...more },
  });

/** What the newest mail to an address links to: the token and its type. */
function linkTo(email: string): { token_hash: string; type: "invite" | "recovery" } {
  const { mails: folder } = testContext();
  const mails = readdirSync(folder).filter((name) => name.endsWith(` ${email}.html`));
  const mail = readFileSync(join(folder, mails.sort().at(-1)!), "utf8").replaceAll("&amp;", "&");
  const [, token_hash, type] = /#token_hash=(\w+)&type=(\w+)"/.exec(mail)!;
  return { token_hash: token_hash!, type: type as "invite" };
}

/**
 * Opens the link of the newest mail and sets a password, as the console does.
 * @returns the token of the next session
 */
async function accept(email: string, password: string): Promise<string> {
  const client = supabaseClient();
  const opened = await client.auth.verifyOtp(linkTo(email));
  expect(opened.error).toBeNull();
  expect((await client.auth.updateUser({ password })).error).toBeNull();
  return (await client.auth.refreshSession()).data.session!.access_token;
}

describe("an invitation", () => {
  it("makes somebody new an administrator with the link of its mail, and no member", async () => {
    const email = `wang-${randomUUID()}@example.com`;
    expect((await invite(email.toUpperCase(), ["finance"], { name: "Wang Fang" })).status).toBe(201);
    expect((await people()).find((each) => each.email === email)).toMatchObject({
      auth_id: null,
      state: "invited",
      roles: ["finance"],
    });
    const token = await accept(email, "a new password");
    expect((await call("GET", "/adminapi/me", { token })).body).toMatchObject({
      name: "Wang Fang",
      roles: ["finance"],
    });
    expect((await people()).find((each) => each.email === email)).toMatchObject({
      invitation_id: null,
      state: "active",
      name: "Wang Fang",
    });
    expect(
      (await sql`select from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`).length,
    ).toBe(0);
    expectProblem(await call("DELETE", `/adminapi/administrator/${accountIdOf(owner)}`, { token }), "forbidden");
  });

  it("lets a member keep their account, who becomes an administrator when the link sets a password, and not before", async () => {
    const known = await signUp("Joins the office");
    expect((await invite(known.email, ["service"])).status).toBe(201);
    expect(linkTo(known.email).type).toBe("recovery");
    const password = await supabaseClient().auth.signInWithPassword(known);
    expectProblem(await call("GET", "/adminapi/me", { token: password.data.session!.access_token }), "forbidden");
    const token = await accept(known.email, "another password");
    expect((await call("GET", "/adminapi/me", { token })).body).toMatchObject({
      name: "Joins the office",
      roles: ["service"],
    });
    expect((await call("GET", "/api/user", { token })).body.uid).toBe(known.uid);
  });

  it("can be sent again with other roles, and withdrawn, after which its link leads nowhere", async () => {
    const email = `li-${randomUUID()}@example.com`;
    await invite(email, ["finance"]);
    await invite(email, ["content"]);
    const mine = (await people()).filter((each) => each.email === email);
    expect(mine.map(({ roles }) => roles)).toEqual([["content"]]);
    const path = `/adminapi/administrator/invitation/${mine[0]!.invitation_id}`;
    expectProblem(await call("DELETE", path, { token: member.token }), "forbidden");
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(200);
    expectProblem(await call("DELETE", path, { token: owner.token }), "administrator_not_found");
    expect((await supabaseClient().auth.verifyOtp(linkTo(email))).error).not.toBeNull();
    expect((await people()).some((each) => each.email === email)).toBe(false);
  });

  it("is refused for an administrator, for what is no address or role, with a key, and by anybody but an owner", async () => {
    expectProblem(await invite(colleague.email, ["content"]), "invalid_argument");
    expectProblem(await invite("no address", ["content"]), "invalid_argument");
    expectProblem(await invite(`${randomUUID()}@example.com`, []), "invalid_argument");
    expectProblem(await invite(`${randomUUID()}@example.com`, ["boss"]), "invalid_argument");
    const withKey = {
      json: { email: "a@example.com", roles: ["content"], redirect_to: console_url() },
      init: { headers: { "idempotency-key": "k" } },
    };
    expectProblem(
      await call("POST", "/adminapi/administrator/invitation", { token: proved, ...withKey }),
      "invalid_argument",
    );
    await sql`select app.add_administrator(${colleague.email}, '{finance, service, content}')`;
    expectProblem(await invite(`${randomUUID()}@example.com`, ["content"], {}, colleague.token), "forbidden");
    expectProblem(await invite(`${randomUUID()}@example.com`, ["content"], {}, member.token), "forbidden");
  });
});

describe("an owner", () => {
  it("changes roles and name of another at once, whom every record shows by that name", async () => {
    const other = await signUpAdmin("Shown by nickname");
    const path = `/adminapi/administrator/${accountIdOf(other)}`;
    const change = { roles: ["service"], name: "Han Meimei" };
    expectProblem(await call("PUT", path, { token: owner.token, json: change }), "second_factor_required");
    expect((await call("PUT", path, { token: owner.token, json: { name: "Han" } })).status).toBe(200);
    expect((await call("PUT", path, { token: proved, json: change })).status).toBe(200);
    expect((await call("PUT", path, { token: owner.token, json: change })).status).toBe(200);
    expectProblem(await call("PUT", path, { token: other.token, json: { roles: ["owner"] } }), "forbidden");
    const raised = await signUp("Raised");
    await call("PUT", `/adminapi/hjf/member/${raised.uid}/level`, { token: other.token, json: { agent_level: 1 } });
    const { list } = (
      await call("GET", `/adminapi/action?target_type=member&target_id=${raised.uid}`, { token: owner.token })
    ).body;
    expect(list[0].actor).toMatchObject({ nickname: "Han Meimei" });
    expectProblem(await call("PUT", path, { token: owner.token, json: {} }), "invalid_argument");
    expect((await call("PUT", "/adminapi/me", { token: other.token, json: { name: "Meimei" } })).body).toMatchObject({
      name: "Meimei",
      roles: ["service"],
    });
  });

  it("removes another at once, and never themselves or their own role", async () => {
    const other = await signUpAdmin("Leaves");
    const path = `/adminapi/administrator/${accountIdOf(other)}`;
    expect((await call("DELETE", path, { token: owner.token })).status).toBe(200);
    expectProblem(await call("GET", "/adminapi/me", { token: other.token }), "forbidden");
    expectProblem(await call("DELETE", path, { token: owner.token }), "administrator_not_found");
    const own = `/adminapi/administrator/${accountIdOf(owner)}`;
    expectProblem(await call("DELETE", own, { token: owner.token }), "own_account");
    expectProblem(await call("PUT", own, { token: owner.token, json: { roles: ["finance"] } }), "own_account");
  });
});
