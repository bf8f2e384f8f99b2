import { afterAll, describe, expect, it } from "vitest";
import { connect, stack, supabaseClient } from "../support/index.ts";

const password = "correct horse";
const sql = connect(stack().database_url);
afterAll(() => sql.end());

let accounts = 0;
const newEmail = () => `sign-up-${process.pid}-${++accounts}@example.com`;

async function signUp(data: Record<string, unknown>): Promise<string> {
  const email = newEmail();
  const { error } = await supabaseClient().auth.signUp({ email, password, options: { data } });
  expect(error).toBeNull();
  return email;
}

async function member(
  email: string,
): Promise<{ uid: string; spread_uid: string | null; nickname: string } | undefined> {
  const [row] = await sql<{ uid: string; spread_uid: string | null; nickname: string }[]>`
    select u.uid, u.spread_uid, u.nickname from app.users u join auth.users a on a.id = u.auth_id where a.email = ${email}`;
  return row;
}

describe("signing up with supabase-js", () => {
  it("creates a member below the referrer of the share link", async () => {
    const referrer = await member(await signUp({ nickname: "Ann" }));
    const referred = await member(await signUp({ nickname: "Bo", spread: referrer?.uid }));
    expect(referrer).toMatchObject({ nickname: "Ann", spread_uid: null });
    expect(referred).toMatchObject({ nickname: "Bo", spread_uid: referrer?.uid });
  });

  const unusable: unknown[] = [
    "",
    "0",
    "-1",
    "not a number",
    "99999999999999999999999999",
    1.5,
    null,
    true,
    { uid: 1 },
    ["1"],
    "1; drop table app.users",
    "２",
  ];
  it.each(unusable)("never fails because of an unusable spread: %j", async (spread) => {
    expect(await member(await signUp({ spread }))).toMatchObject({ spread_uid: null });
  });

  it("gives an administrator's token the role store_admin", async () => {
    const email = await signUp({});
    await sql`select app.add_administrator(${email})`;
    const { data } = await supabaseClient().auth.signInWithPassword({ email, password });
    const [, claims = ""] = data.session?.access_token.split(".") ?? [];
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      role: "store_admin",
      aud: "authenticated",
    });
  });

  it("rejects a wrong password", async () => {
    const email = await signUp({});
    const { error } = await supabaseClient().auth.signInWithPassword({ email, password: "wrong" });
    expect(error?.status).toBe(400);
  });
});
