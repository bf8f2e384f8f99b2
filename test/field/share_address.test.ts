import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { type Account, call, signUpAdmin } from "../api/client.ts";

/**
 * Addresses in front of which a referral parameter is lost, as shops reported them: AffiliateWP/AffiliateWP#811 (a
 * fragment in the base address), jdavidbakr/mail-tracker#120 (a page of an app that routes behind #),
 * gmx-io/gmx-interface#2732 (a parameter twice, and on both sides of #).
 */
let admin: Account;
let clone: ClonedDatabase;
let sql: postgres.Sql;

beforeAll(async () => {
  [admin, clone] = await Promise.all([signUpAdmin("Owner of the address"), cloneDatabase()]);
  sql = connect(clone.url);
  await sql`insert into app.users (nickname) values ('Sharer')`;
});
afterAll(async () => {
  await sql?.end();
  await clone?.drop();
});

const save = (address: string, language = "en") =>
  call("PUT", "/adminapi/system/settings", {
    token: admin.token,
    json: { h5_share_url: address },
    init: { headers: { "accept-language": language } },
  });

describe("the setting of the share link", () => {
  // Guarantee money/share-link-address: A share link names its member where the app reads it
  // By: app.share_address refuses an address behind which the name would be lost
  it.each([
    ["https://shop.example.com/h5/#/", "https://shop.example.com/h5/"],
    ["https://shop.example.com/h5/?from=x#/shop", "https://shop.example.com/h5/?from=x"],
    ["https://shop.example.com/h5#", "https://shop.example.com/h5"],
    ["https://shop.example.com/h5/＃/", "https://shop.example.com/h5/"],
    ["https://shop.example.com/#!/products/1?spread=10001", "https://shop.example.com/"],
    ["https://shop.example.com/h5?spread=10001&share=0d2f#/products/1", "https://shop.example.com/h5"],
    ["https://shop.example.com/h5?from=x&spread=10001", "https://shop.example.com/h5?from=x"],
    ["https://shop.example.com/h5?spread=1&from=x&share=2&to=y", "https://shop.example.com/h5?from=x&to=y"],
    ["https://shop.example.com/h5?", "https://shop.example.com/h5"],
    ["https://shop.example.com/h5?from=x&", "https://shop.example.com/h5?from=x"],
    ["https://owner:secret@shop.example.com/h5", "https://shop.example.com/h5"],
  ])("refuses %s, and says that %s is right", async (address, right) => {
    const refused = await save(address);
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "invalid_argument", errors: [{ pointer: "/h5_share_url" }] },
    });
    expect(JSON.stringify(refused.body)).toContain(`Use ${right} instead.`);
    expect(JSON.stringify((await save(address, "zh")).body)).toContain(`请改为 ${right}。`);
    const [again] = await sql`select app.share_address(${right}) as address`;
    expect(again!.address).toBe(right);
  });

  it.each([
    "shop.example.com/h5",
    "//shop.example.com/h5",
    "ftp://shop.example.com/h5",
    "javascript:alert(1)",
    "weixin://dl/business/",
    "https://",
    "https://?from=x",
    "https:///h5",
    "https://:8443/h5",
    "https://shop.example.com:port/h5",
    "https://shop.example.com/my shop",
    "#/",
    `https://shop.example.com/${"a".repeat(480)}`,
  ])("refuses %s, which is no address of a page", async (address) => {
    expect(await save(address)).toMatchObject({ status: 422, body: { errors: [{ pointer: "/h5_share_url" }] } });
  });

  // Guarantee money/share-link-address
  it.each([
    "https://shop.example.com",
    "https://shop.example.com/",
    "https://shop.example.com/h5",
    "https://shop.example.com/h5/index.html",
    "https://shop.example.com:8443/h5/?from=x&lang=zh",
    "https://shop.example.com/?spreads=2&to_share=1",
    "https://shop.example.com/@shop/spread=1",
    "https://[2001:db8::1]:8443/h5",
    "https://商城.example.com/h5",
    "HTTP://shop.example.com/h5",
  ])("takes %s, and its links name their member where the app looks for it", async (address) => {
    const links = await sql.begin(async (store) => {
      await store`select app.set_settings(${store.json({ h5_share_url: address })}, now())`;
      const rows = await store<{ uid: string; plain: string; product: string }[]>`
        select u.uid::text, app.share_url(u.uid, null) as plain, app.share_url(u.uid, 7) as product from app.users as u order by u.uid limit 1`;
      const [check] = await store`select severity from app.verify_addresses() where check_id = 'share_link'`;
      expect(check).toEqual({ severity: "ok" });
      await store`update app.settings set h5_share_url = default`;
      return rows;
    });
    expect(links).toHaveLength(1);
    const { uid, plain, product } = links[0]!;
    expect(new URL(plain).searchParams.getAll("spread")).toEqual([uid]);
    expect(new URL(product).searchParams.getAll("spread")).toEqual([uid]);
    expect([new URL(plain).hash, new URL(product).hash]).toEqual(["", "#/products/7"]);
  });

  it("that an earlier version has stored is named by the configuration check, with the right address", async () => {
    await sql`update app.settings set h5_share_url = 'https://shop.example.com/h5/#/'`;
    const [check] =
      await sql`select severity, message, hint from app.verify_agent_config() where check_id = 'share_link'`;
    expect(check).toEqual({
      severity: "error",
      message: "share links lose their member: https://shop.example.com/h5/#/",
      hint: "Set the share link URL on the settings page of the console to https://shop.example.com/h5/",
    });
    await sql`update app.settings set h5_share_url = default`;
  });
});
