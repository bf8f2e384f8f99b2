import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../../functions/picture/inspect.ts";
import { connect, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy } from "./scenario.ts";

let sql: postgres.Sql;
let admin: Account;
let buyer: Account;
let stranger: Account;
let product: number;

beforeAll(async () => {
  sql = connect(stack().database_url);
  [admin, buyer, stranger] = await Promise.all([
    signUpAdmin("Looks at pictures"),
    signUp("Shows the damage"),
    signUp("Curious"),
  ]);
  product = await addProduct("Fragile cup", "20.00", false);
});
afterAll(() => sql.end());

interface Uploaded {
  id: string;
  url: string;
  small_url: string;
}

async function upload(by = buyer): Promise<Uploaded> {
  const init = { headers: { "content-type": "image/png" }, body: new Uint8Array(plainPng(3, 4, 5, 600)) };
  const { status, body } = await call("POST", "/picture/refund", { token: by.token, init });
  expect(status).toBe(201);
  return body;
}

/** An order of the buyer with a request that has as many pictures. */
async function requested(
  count: number,
): Promise<{ id: number; refund: { id: number; pictures: unknown[] }; pictures: Uploaded[] }> {
  const { id } = await buy(buyer, admin, product, 1);
  const pictures: Uploaded[] = [];
  for (let at = 0; at < count; at += 1) pictures.push(await upload());
  const { status, body } = await as(buyer).post(`/api/order/${id}/refund`, {
    reason: "Broken",
    pictures: pictures.map((each) => each.id),
  });
  expect(status).toBe(201);
  return { id, refund: body, pictures };
}

const statusOf = async (url: string) => (await fetch(url)).status;

describe("the pictures of a refund request", () => {
  // Guarantee access/pictures-of-refunds: A picture of a refund request has no public address. Only its buyer and
  // administrators who read orders get links, which end after five minutes
  // By: a private bucket, api.get_refund_pictures and api.admin_get_refund_pictures (decision 0118)
  it("have no public address, and are seen by links", async () => {
    const { id, refund, pictures } = await requested(2);
    expect(refund.pictures).toEqual(pictures.map((each) => ({ id: each.id, content_check: null })));
    const { body: own } = await as(buyer).get(`/api/order/${id}/refund/picture`);
    expect(own.list.map((each: Uploaded) => each.id)).toEqual(pictures.map((each) => each.id));
    const { body } = await as(admin).get(`/adminapi/order/${id}/refund/picture`);
    expect(body).toMatchObject({ count: 2, list: [{ refund_id: refund.id, width: 600, content_check: null }, {}] });
    const [large, small] = await Promise.all([fetch(body.list[0].url), fetch(body.list[0].small_url)]);
    expect([large.headers.get("cache-control"), large.headers.get("content-type")]).toEqual(["no-store", "image/jpeg"]);
    expect(inspect(new Uint8Array(await large.arrayBuffer()))).toMatchObject({ width: 600 });
    expect(inspect(new Uint8Array(await small.arrayBuffer()))).toMatchObject({ width: 480 });
    const address = body.list[0].url.split("?")[0] as string;
    expect(await statusOf(address.replace("/sign/", "/public/"))).toBe(400);
    expect(await statusOf(address.replace("/sign/", "/public/").replace("private-", ""))).toBe(400);
  });

  // Guarantee access/pictures-of-refunds
  it("have links that end, and open only what they were made for", async () => {
    const { pictures } = await requested(2);
    const [one, other] = pictures.map((each) => new URL(each.url));
    expect(await statusOf(one!.href)).toBe(200);
    expect(await statusOf(one!.origin + one!.pathname)).toBe(400);
    expect(await statusOf(one!.origin + one!.pathname + other!.search)).toBe(400);
    const [bucket, ...name] = one!.pathname.split("/object/sign/")[1]!.split("/");
    const { supabase_url, secret_key } = stack();
    const sign = (expiresIn: number, token = secret_key) =>
      fetch(`${supabase_url}/storage/v1/object/sign/${bucket}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ expiresIn, paths: [name.join("/")] }),
      });
    const [{ signedURL }] = (await (await sign(-1)).json()) as [{ signedURL: string }];
    expect(await statusOf(`${supabase_url}/storage/v1${signedURL}`)).toBe(400);
    expect((await sign(60, buyer.token)).status).toBe(401);
  });

  // Guarantee access/pictures-of-refunds
  it("are not for other members, nor for the role content", async () => {
    const { id } = await requested(1);
    expectProblem(await as(stranger).get(`/api/order/${id}/refund/picture`), "order_not_found");
    expectProblem(await call("GET", `/api/order/${id}/refund/picture`), "unauthenticated");
    expectProblem(await as(buyer).get(`/adminapi/order/${id}/refund/picture`), "forbidden");
    const writer = await signUpAdmin("Writes articles");
    await sql`update app.administrators set roles = '{content}' where auth_id = (select id from auth.users where email = ${writer.email})`;
    expectProblem(await as(writer).get(`/adminapi/order/${id}/refund/picture`), "forbidden");
    expectProblem(await as(admin).get("/adminapi/order/900000000000001/refund/picture"), "order_not_found");
  });

  it("are the buyer's own, each in one request, at most six", async () => {
    const { id } = await buy(buyer, admin, product, 1);
    const ask = (pictures: unknown) => as(buyer).post(`/api/order/${id}/refund`, { pictures });
    const {
      pictures: [used],
    } = await requested(1);
    const mine = await upload();
    for (const pictures of [[used!.id], [(await upload(stranger)).id], [randomUUID()], [mine.id, mine.id]]) {
      const reply = await ask(pictures);
      expectProblem(reply, "invalid_argument");
      expect(reply.body.errors[0].pointer).toBe("/pictures");
    }
    for (const pictures of ["1", [1], ["x"], Array.from({ length: 7 }, () => randomUUID())])
      expectProblem(await ask(pictures), "invalid_argument");
    expect((await as(buyer).get(`/api/order/${id}`)).body.refund_status).toBe(0);
    expect((await ask([mine.id])).body.pictures).toEqual([{ id: mine.id, content_check: null }]);
  });

  it("can be uploaded thirty times in an hour", async () => {
    const eager = await signUp("Shows everything");
    await upload(eager);
    await sql`update app.used_quotas set used = 30 where uid = ${eager.uid} and kind = 'refund_picture'`;
    const init = { headers: { "content-type": "image/png" }, body: new Uint8Array(plainPng(3, 4, 5, 20)) };
    expectProblem(await call("POST", "/picture/refund", { token: eager.token, init }), "too_many_requests");
  });
});

describe("a doubt of WeChat about a refund request", () => {
  it("is dismissed for the reason or for one picture, by administrators of refunds, and recorded once", async () => {
    const { id, refund, pictures } = await requested(2);
    await sql`update app.refunds set reason_check = 'risky' where id = ${refund.id}`;
    await sql`update app.pictures set content_check = 'review', checked_at = now() where refund_id = ${refund.id}`;
    const dismiss = (json: object, by = admin) => as(by).put(`/adminapi/order/${id}/refund/doubt/dismiss`, json);
    const first = { refund_id: refund.id, picture_id: pictures[0]!.id };
    expect((await dismiss(first)).body).toMatchObject({
      reason_check: "risky",
      pictures: [
        { id: pictures[0]!.id, content_check: null },
        { id: pictures[1]!.id, content_check: "review" },
      ],
    });
    expect((await dismiss({ refund_id: refund.id })).body.reason_check).toBe(null);
    expect((await dismiss({ refund_id: refund.id })).status).toBe(200);
    const { body: log } = await as(admin).get(
      `/adminapi/action?target_type=order&target_id=${id}&function=dismiss_refund_doubt`,
    );
    expect(log.list.map(({ from }: { from: object }) => from)).toEqual([
      {},
      { doubt: "risky", refund_id: null },
      { doubt: "review", refund_id: null, picture_id: null },
    ]);
    expectProblem(await dismiss({ refund_id: refund.id, picture_id: randomUUID() }), "refund_not_found");
    expectProblem(await dismiss({ refund_id: 900_000_000_000_001 }), "refund_not_found");
    expectProblem(await dismiss({ refund_id: refund.id }, buyer), "forbidden");
  });
});
