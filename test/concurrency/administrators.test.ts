import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`grant store_api to postgres`;
});
afterAll(() => store.close());

async function owner(): Promise<string> {
  const uid = await store.signUp();
  return (
    await store.sql`select app.add_administrator((select u.auth_id::text from app.users as u where u.uid = ${uid})) as id`
  )[0]!.id;
}

const call =
  (by: string, name: string, args: object) =>
  (sql: typeof store.sql): Promise<unknown> =>
    sql`select app.as_caller(${sql.json({ role: "store_admin", sub: by, aal: "aal2" })}, ${name}, ${sql.json(args as never)})`;

const left = async () =>
  (await store.sql`select auth_id from app.administrators where 'owner' = any (roles)`).map(({ auth_id }) => auth_id);

// Guarantee access/owners: Of two owners who remove each other, one stays, and nobody removes themselves
// By: app.lock_administrator, app.keep_an_owner
it.each([
  ["remove each other", (id: string) => ["remove_administrator", { p_auth_id: id }] as [string, object]],
  [
    "take the role from each other",
    (id: string) => ["set_administrator", { p_auth_id: id, p_roles: ["service"] }] as [string, object],
  ],
])("of two owners who %s at once, one stays, whether or not there is a third", async (_, change) => {
  for (const others of [0, 1]) {
    await store.sql`delete from app.administrators`;
    const [one, two] = [await owner(), await owner()];
    const third = others ? [await owner()] : [];
    const results = await store.together([call(one, ...change(two)), call(two, ...change(one))]);
    expect(messages(results), `${others} others`).toEqual(["forbidden"]);
    const owners = await left();
    expect(
      owners.filter((id) => id === one || id === two),
      `${others} others`,
    ).toHaveLength(1);
    expect(owners).toHaveLength(1 + third.length);
  }
  expect(await store.deadlocks()).toBe(0);
});

it("an invitation that is withdrawn while its link is opened gives its role or nothing, and never fails the sign-in", async () => {
  for (let round = 0; round < 5; round += 1) {
    await store.sql`delete from app.administrators`;
    const boss = await owner();
    const email = `invited-${round}@example.com`;
    await store.sql`select app.as_caller(${store.sql.json({ role: "store_admin", sub: boss, aal: "aal2" })}, 'invite_administrator', ${store.sql.json({ p_email: email, p_roles: ["service"] })})`;
    const [invitation] = await store.sql`select id from app.invitations where email = ${email}`;
    await store.sql`insert into auth.users (id, email, invited_at) values (gen_random_uuid(), ${email}, now())`;
    const results = await store.together([
      call(boss, "withdraw_invitation", { p_id: invitation!.id }),
      (sql) => sql`update auth.users set email_confirmed_at = now() where email = ${email}`,
    ]);
    expect(results[1]!.status).toBe("fulfilled");
    const [account] = await store.sql`select role from auth.users where email = ${email}`;
    // Withdrawn first: the account is deleted with it. Accepted first: there is nothing to withdraw.
    expect([messages(results), account?.role]).toEqual(
      results[0]!.status === "fulfilled" ? [[], undefined] : [["administrator_not_found"], "store_admin"],
    );
  }
});
