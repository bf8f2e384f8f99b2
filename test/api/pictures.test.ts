import { randomBytes, randomInt } from "node:crypto";
import { PNG } from "pngjs";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../../functions/picture/inspect.ts";
import { thumbnailOf } from "../../functions/_shared/words/thumbnail.ts";
import { connect, type EdgeFunction, serveEdgeFunction, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { png } from "./png_writer.ts";
import { type Account, accountIdOf, call, expectProblem, type Reply, signUp, signUpAdmin } from "./client.ts";

let sql: postgres.Sql;
let member: Account;
let admin: Account;

beforeAll(async () => {
  sql = connect(stack().database_url);
  [member, admin] = await Promise.all([signUp("Photographer"), signUpAdmin("Editor")]);
  await sql`update app.settings set profile_changes_per_hour = 1000`;
});
afterAll(async () => {
  await sql`update app.settings set profile_changes_per_hour = 10`;
  await sql.end();
});

/** A picture with a soft pattern, as a photograph has. @param opacity of its left half */
function drawPng(width: number, height: number, opacity = 255): Buffer {
  const png = new PNG({ width, height });
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4)
      png.data.set([(x * 255) / width, (y * 255) / height, (x * y) & 255, x < width / 2 ? opacity : 255], at);
  return PNG.sync.write(png);
}

function upload(kind: "avatar" | "store", file: Uint8Array, by: Account, base?: string): Promise<Reply> {
  const init = { headers: { "content-type": "image/jpeg", "accept-language": "en" }, body: new Uint8Array(file) };
  return call("POST", `/picture/${kind}`, { token: by.token, init, ...(base && { base }) });
}

async function fileAt(
  url: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string | null; cache: string | null }> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const { headers } = response;
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    type: headers.get("content-type"),
    cache: headers.get("cache-control"),
  };
}

/** A JPEG, as the store itself writes it. */
async function jpegOf(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await upload("store", drawPng(width, height), admin);
  return (await fileAt(body.url)).bytes;
}

/** Puts a segment into a JPEG, behind its beginning. */
function withSegment(jpeg: Uint8Array, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

/** EXIF with an orientation, and a text that stands for the place where the picture was taken. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1");
  tiff.writeUInt16BE(orientation, 18);
  return Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff, Buffer.from("39.9042 N, 116.4074 E")]);
}

describe("a picture of a member", () => {
  it("is stored in two sizes, and can be their avatar", async () => {
    const { status, body } = await upload("avatar", drawPng(1200, 900), member);
    expect([status, body.width, body.height]).toEqual([201, 1200, 900]);
    expect(body.small_url).toBe(thumbnailOf(body.url));
    const [large, small] = await Promise.all([fileAt(body.url), fileAt(body.small_url)]);
    expect([large.type, large.cache]).toEqual(["image/jpeg", "max-age=31536000"]);
    expect(inspect(large.bytes)).toMatchObject({ type: "jpeg", width: 1200, height: 900 });
    expect(inspect(small.bytes)).toMatchObject({ type: "jpeg", width: 480, height: 360 });
    const id = /pictures\/([^/]+)\//.exec(body.url)![1]!;
    expect(
      await sql`select owner, kind, state, width, small_width, bytes, small_bytes from app.pictures where id = ${id}`,
    ).toEqual([
      {
        owner: accountIdOf(member),
        kind: "avatar",
        state: "stored",
        width: 1200,
        small_width: 480,
        bytes: large.bytes.length,
        small_bytes: small.bytes.length,
      },
    ]);
    const saved = await call("PUT", "/api/user", { token: member.token, json: { avatar: body.small_url } });
    expect([saved.status, saved.body.avatar]).toEqual([200, body.small_url]);
  });

  it("stands on white where it is transparent, because posters show it", async () => {
    const { body } = await upload("avatar", drawPng(300, 300, 0), member);
    expect(inspect((await fileAt(body.url)).bytes)).toMatchObject({ type: "jpeg", width: 300 });
  });

  it("counts as a change of the profile", async () => {
    const eager = await signUp("Eager");
    await sql`update app.settings set profile_changes_per_hour = 2`;
    try {
      for (const expected of [201, 201])
        expect((await upload("avatar", plainPng(1, 2, 3, 20), eager)).status).toBe(expected);
      const reply = await upload("avatar", plainPng(1, 2, 3, 20), eager);
      expectProblem(reply, "too_many_requests");
    } finally {
      await sql`update app.settings set profile_changes_per_hour = 1000`;
    }
  });
});

describe("a picture of the store", () => {
  it("is uploaded by administrators, and recorded", async () => {
    const { status, body } = await upload("store", drawPng(640, 400), admin);
    expect(status).toBe(201);
    const id = /pictures\/([^/]+)\//.exec(body.url)![1]!;
    const { body: log } = await call("GET", `/adminapi/action?target_type=picture&target_id=${id}`, {
      token: admin.token,
    });
    expect(log.list).toMatchObject([{ function: "upload_picture" }]);
    expectProblem(await upload("store", drawPng(64, 64), member), "forbidden");
  });

  it("keeps its transparent parts, as WebP, which can be uploaded again", async () => {
    const { body } = await upload("store", drawPng(700, 500, 0), admin);
    const { bytes, type } = await fileAt(body.url);
    expect([type, inspect(bytes)]).toEqual([
      "image/webp",
      expect.objectContaining({ type: "webp", width: 700, height: 500 }),
    ]);
    const again = await upload("store", bytes, admin);
    expect([again.status, again.body.width]).toEqual([201, 700]);
  });

  it("is scaled down to 2,048 pixels, up to 16 megapixels", async () => {
    const { status, body } = await upload(
      "store",
      png({ width: 4000, height: 4000, depth: 1, colourType: 0, rows: new Uint8Array(4000 * 501) }),
      admin,
    );
    expect([status, body.width, body.height]).toEqual([201, 2048, 2048]);
  });

  // Guarantee access/uploads-redrawn: A stored picture has no trace of place, camera or program, nor of what the file
  // had behind the picture
  // By: every picture is drawn anew, functions/picture/process_picture.ts
  it("loses everything that is not the picture, and stands upright", async () => {
    const held = withSegment(
      withSegment(await jpegOf(400, 200), 0xfe, Buffer.from("<script>a comment</script>")),
      0xe1,
      exif(6),
    );
    expect(held.includes("116.4074")).toBe(true);
    const { body } = await upload("store", held, admin);
    expect([body.width, body.height]).toEqual([200, 400]);
    for (const url of [body.url, body.small_url]) {
      const stored = Buffer.from((await fileAt(url)).bytes);
      for (const left of ["Exif", "116.4074", "script"]) expect(stored.includes(left), left).toBe(false);
    }
  });
});

describe("a file that is not accepted", () => {
  const detail = async (file: Uint8Array) => {
    const reply = await upload("store", file, admin);
    expectProblem(reply, "picture_refused");
    return (reply.body.detail as string).split(/[.,(]/)[0];
  };

  it("is refused with the reason", async () => {
    const jpeg = await jpegOf(64, 64);
    expect(await detail(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))).toBe(
      "An SVG is not accepted",
    );
    expect(await detail(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1"))).toBe("This phone format ");
    expect(await detail(jpeg.subarray(0, jpeg.length - 40))).toBe("The picture is damaged or incomplete");
    expect(await detail(Buffer.alloc(0))).toBe("This is not a picture of a known kind");
    const wide = Buffer.from(jpeg);
    const frame = wide.indexOf(Buffer.from([0xff, 0xc0]));
    for (const side of [5, 7]) wide.writeUInt16BE(20_000, frame + side);
    expect(await detail(wide)).toBe("The picture has more than 16 megapixels");
    const huge = plainPng(1, 2, 3, 16);
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(20_000, 20);
    expect(await detail(huge)).toBe("The picture has more than 16 megapixels");
  });

  it("says the reason in Chinese, too", async () => {
    const init = { headers: { "accept-language": "zh" }, body: "<svg></svg>" };
    const { body } = await call("POST", "/picture/avatar", { token: member.token, init });
    expect(body.detail).toContain("SVG");
    expect(body.detail).toMatch(/\p{Script=Han}/u);
  });

  it("may have 5 MB, declared or not", async () => {
    // What was answered before its end is the last request of its connection.
    const send = (body: BodyInit) =>
      call("POST", "/picture/store", {
        token: admin.token,
        init: { headers: { connection: "close", "accept-language": "en" }, body, duplex: "half" } as RequestInit,
      });
    const large = await send(randomBytes(5_000_001));
    expectProblem(large, "body_too_large");
    expect(large.body.detail).toBe("A picture has at most 5 MB.");
    expectProblem(await send(new Blob([randomBytes(5_000_001)]).stream()), "body_too_large");
    expectProblem(await upload("store", randomBytes(5_000_000), admin), "picture_refused");
  });

  it("is refused if its data are damaged, and the next picture is accepted", async () => {
    const jpeg = await jpegOf(200, 200);
    const accepted: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const damaged = jpeg.slice();
      for (let change = 0; change < 5; change += 1) damaged[randomInt(2, damaged.length - 2)] = randomInt(256);
      const reply = await upload("store", damaged, admin);
      accepted.push(reply.status);
      expect([201, 422]).toContain(reply.status);
    }
    expect((await upload("store", jpeg, admin)).status).toBe(201);
  });

  it("has no idempotency key", async () => {
    const init = { headers: { "idempotency-key": "once" }, body: new Uint8Array(plainPng(1, 2, 3, 20)) };
    expectProblem(await call("POST", "/picture/avatar", { token: member.token, init }), "invalid_argument");
  });
});

describe("a storage that fails", () => {
  let picture: EdgeFunction;
  afterAll(() => picture?.stop());

  it("leaves a picture that is not stored, and is asked again", async () => {
    picture = await serveEdgeFunction("picture", stack().database_url, {
      SUPABASE_SECRET_KEYS: '{"default":"sb_secret_of_another_project"}',
    });
    const before = (await sql`select count(*)::int as count from app.pictures where state = 'pending'`)[0]!.count;
    expectProblem(await upload("store", plainPng(1, 2, 3, 20), admin, picture.base), "picture_not_stored");
    expect((await sql`select count(*)::int as count from app.pictures where state = 'pending'`)[0]!.count).toBe(
      before + 1,
    );
  });
});

describe("the picture of a product", () => {
  it("is in the lines of a cart and an order, among featured products and in the search, also after the product is off sale", async () => {
    const images = ["https://shop.example.com/front.png", "https://shop.example.com/back.png"];
    const json = { title: "Kettle for a picture", price: "10.00", images };
    const { body: product } = await call("POST", "/adminapi/product", { token: admin.token, json });
    const items = [{ product_id: product.id, quantity: 1 }];
    const imageOf = async (method: string, path: string, by: Account, given?: object) =>
      (await call(method, path, { token: by.token, ...(given && { json: given }) })).body;
    expect((await imageOf("POST", "/api/cart", member, { items })).lines).toMatchObject([{ image: images[0] }]);
    expect((await imageOf("POST", "/api/order/preview", member, { items })).lines).toMatchObject([
      { image: images[0] },
    ]);
    const order = await imageOf("POST", "/api/order", member, { items });
    await sql`update app.products set is_show = false where id = ${product.id}`;
    for (const [path, by] of [
      [`/api/order/${order.id}`, member],
      [`/adminapi/order/${order.id}`, admin],
    ] as const)
      expect((await imageOf("GET", path, by)).lines, path).toMatchObject([{ image: images[0] }]);
    expect((await imageOf("GET", "/adminapi/search?text=kettle for a picture", admin)).products).toMatchObject([
      { image: images[0] },
    ]);
    const page = await imageOf("PUT", "/adminapi/first_page", admin, { banners: [], featured: [product.id] });
    expect(page.featured).toMatchObject([{ image: images[0] }]);
    await imageOf("PUT", "/adminapi/first_page", admin, { banners: [], featured: [] });
    await sql`update app.products set is_del = true where id = ${product.id}`;
  });
});

describe("a picture that nothing shows", () => {
  it("is gone with its files after a week, and one that a product shows is not", async () => {
    const [shown, unused] = [
      await upload("store", drawPng(90, 90), admin),
      await upload("store", drawPng(90, 90, 0), admin),
    ];
    const json = { title: "Pictured", price: "10.00", images: [shown.body.url] };
    const { body: product } = await call("POST", "/adminapi/product", { token: admin.token, json });
    await sql`select app.retire_pictures(now(), 1000)`;
    await sql`update app.pictures set unused_since = now() - interval '8 days' where unused_since is not null`;
    await sql`select app.retire_pictures(now(), 1000)`;
    await expect.poll(async () => (await fetch(unused.body.url)).status).toBe(400);
    expect((await fetch(unused.body.small_url)).status).toBe(400);
    await fileAt(shown.body.url);
    // Its row goes after its files.
    await expect
      .poll(() => sql`select from app.pictures where ${unused.body.url as string} like '%' || id || '%'`)
      .toHaveLength(0);
    await sql`update app.products set is_del = true, is_show = false where id = ${product.id}`;
  });
});
