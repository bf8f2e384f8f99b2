import { PNG } from "pngjs";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readMiniProgram } from "../../functions/_shared/wechat/mini_program_code.ts";
import { connect, type EdgeFunction, serveEdgeFunction, stack, supabaseClient } from "../support/index.ts";
import { MINI } from "../support/wechat/apps.ts";
import { type Account, call, expectProblem, signUp } from "./client.ts";
import { FakeWechat, type Mood, plainPng } from "../support/wechat/fake_wechat.ts";
import { textOf } from "./qr_code.ts";

const TOKEN = "/cgi-bin/stable_token";
const CODE = "/wxa/getwxacodeunlimit";
/** The middle of the code and of the avatar on the poster. */
const CODE_PIXEL = [375, 800] as const;
const AVATAR_PIXEL = [375, 200] as const;

const wechat = new FakeWechat();
let wechatUrl: string;
let sql: postgres.Sql;
let poster: EdgeFunction;
let api: EdgeFunction;
let share: string;

beforeAll(async () => {
  wechatUrl = await wechat.start();
  const { database_url } = stack();
  sql = connect(database_url);
  const [settings] = await sql`select h5_share_url from app.settings`;
  share = settings?.h5_share_url;
  poster = await serveEdgeFunction("poster", database_url, {});
  api = await serveEdgeFunction("api", database_url, {
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_WECHAT_MINI_PAGE: "pages/index/index",
    STORE_WECHAT_API_URL: wechatUrl,
    STORE_FUNCTIONS_URL: poster.base,
  });
});
afterAll(async () => {
  await api?.stop();
  await poster?.stop();
  await sql?.end();
  await wechat.stop();
});
beforeEach(() => {
  wechat.mood = "well";
  wechat.stableToken = undefined;
  wechat.received.splice(0);
});

interface Poster {
  kind: string;
  share_url: string;
  image_url: string;
}

async function posterOf({ token }: Pick<Account, "token">): Promise<Poster> {
  const { status, body } = await call("GET", "/api/spread/poster", { token, base: api.base });
  expect(status).toBe(200);
  return body;
}

async function pictureAt(url: string): Promise<{ png: PNG; bytes: number; headers: Headers }> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { png: PNG.sync.read(bytes), bytes: bytes.length, headers: response.headers };
}

const pixel = ({ data, width }: PNG, [x, y]: readonly [number, number]) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

const linkOf = ({ uid }: Account) => `${share}?spread=${uid}`;

async function expectQrPoster(account: Account, poster: Poster): Promise<void> {
  const share_url = linkOf(account);
  expect(poster).toMatchObject({ kind: "h5", share_url });
  expect(textOf((await pictureAt(poster.image_url)).png)).toBe(share_url);
}

const endRetryPause = ({ uid }: Account) => sql`update app.posters set retry_at = now() where uid = ${uid}`;

describe("GET /api/spread/poster", () => {
  it("returns a poster with the mini-program code of the member", async () => {
    const member = await signUp("陈静");
    const poster = await posterOf(member);
    expect(poster).toMatchObject({ kind: "mini_program", share_url: linkOf(member) });
    expect(wechat.take(CODE)).toEqual([
      { scene: `spread=${member.uid}`, page: "pages/index/index", env_version: "release", width: 430 },
    ]);

    const { png, bytes, headers } = await pictureAt(poster.image_url);
    expect([png.width, png.height]).toEqual([750, 1334]);
    expect(bytes).toBeLessThan(300 * 1024);
    expect(pixel(png, CODE_PIXEL)).toEqual([0, 160, 0]);
    expect(
      Object.fromEntries(
        ["content-type", "cache-control", "cross-origin-resource-policy", "access-control-allow-origin"].map((name) => [
          name,
          headers.get(name),
        ]),
      ),
    ).toEqual({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    });
  });

  it("requests one code per member and one access token for all members", async () => {
    const [one, two] = [await signUp("One"), await signUp("Two")];
    const first = await posterOf(one);
    expect(await posterOf(one)).toEqual(first);
    await posterOf(two);
    expect(wechat.received.filter(({ path }) => path === CODE)).toHaveLength(2);
    expect(wechat.received.filter(({ path }) => path === TOKEN).length).toBeLessThanOrEqual(1);
  });

  it("draws the picture once", async () => {
    const member = await signUp("Drawn once");
    const { image_url } = await posterOf(member);
    const first = await pictureAt(image_url);
    const stored = async () =>
      (await sql`select octet_length(image) as bytes from app.posters where uid = ${member.uid}`)[0]?.bytes;
    await expect.poll(stored).toBe(first.bytes);
    // The stored picture is served.
    await sql`update app.posters set image = ${plainPng(1, 2, 3, 10)} where uid = ${member.uid}`;
    expect(pixel((await pictureAt(image_url)).png, [5, 5])).toEqual([1, 2, 3]);
  });

  it("returns the same poster to concurrent requests of a member", async () => {
    const member = await signUp("In a hurry");
    const posters = await Promise.all(Array.from({ length: 4 }, () => posterOf(member)));
    expect(new Set(posters.map(({ image_url }) => image_url)).size).toBe(1);
  });

  it("returns a new picture after a change of the nickname, without another request to WeChat", async () => {
    const member = await signUp("Old name");
    const before = await posterOf(member);
    await sql`update app.users set nickname = 'New name' where uid = ${member.uid}`;
    wechat.received.splice(0);
    const after = await posterOf(member);
    expect(after.kind).toBe("mini_program");
    expect(after.image_url).not.toBe(before.image_url);
    expect(wechat.received).toEqual([]);
    const gone = await fetch(before.image_url);
    expect([gone.status, ((await gone.json()) as { code: string }).code]).toEqual([404, "poster_not_found"]);
  });
});

describe("GET /api/spread/poster of a product", () => {
  it("returns a poster with its picture and a link to it, in the design that administrators chose", async () => {
    const member = await signUp("Sells tea");
    const [project] = await sql`select project_url from app.function_settings`;
    await sql`update app.function_settings set project_url = ${wechatUrl}`;
    const [product] =
      await sql`insert into app.products (title, price, images) values ('Tea', 99.90, ${[`${wechatUrl}/avatar.png`]}) returning id::integer`;
    const read = () =>
      call("GET", `/api/spread/poster?product_id=${product!.id}`, { token: member.token, base: api.base });
    const first = (await read()).body as Poster;
    expect(first).toMatchObject({
      kind: "h5",
      share_url: `${linkOf(member)}#/products/${product!.id}`,
    });
    const drawn = await pictureAt(first.image_url);
    expect(textOf(drawn.png)).toBe(first.share_url);
    expect(pixel(drawn.png, [375, 300])).toEqual([0, 0, 200]);
    expect((await read()).body).toEqual(first);
    expect((await posterOf(member)).image_url).not.toBe(first.image_url);
    await sql`update app.products set poster_design = 'dark' where id = ${product!.id}`;
    const second = (await read()).body as Poster;
    expect(second.image_url).not.toBe(first.image_url);
    expect(pixel((await pictureAt(second.image_url)).png, [5, 700])).not.toEqual(pixel(drawn.png, [5, 700]));
    await sql`update app.products set is_show = false where id = ${product!.id}`;
    expectProblem(await read(), "product_not_found");
    expectProblem(
      await call("GET", "/api/spread/poster?product_id=x", { token: member.token, base: api.base }),
      "invalid_argument",
    );
    await sql`update app.function_settings set project_url = ${project!.project_url}`;
  });
});

describe("an access token that WeChat rejects", () => {
  it("is replaced, and the code is requested again", async () => {
    await posterOf(await signUp("Before"));
    wechat.token = "token-2";
    wechat.received.splice(0);
    expect((await posterOf(await signUp("After"))).kind).toBe("mini_program");
    expect(wechat.received.map(({ path, query }) => [path, query.get("access_token")])).toEqual([
      [CODE, "token-1"],
      [TOKEN, null],
      [CODE, "token-2"],
    ]);
    wechat.received.splice(0);
    await posterOf(await signUp("Later"));
    expect(wechat.received.map(({ path, query }) => [path, query.get("access_token")])).toEqual([[CODE, "token-2"]]);
  });

  it("is replaced by a forced refresh if WeChat returns the same token", async () => {
    wechat.stableToken = "token-2";
    wechat.token = "token-3";
    expect((await posterOf(await signUp("Forced"))).kind).toBe("mini_program");
    expect(wechat.take(TOKEN).map((body) => body.force_refresh)).toEqual([false, true]);
  });

  it("is replaced five minutes before it expires", async () => {
    await sql`update app.wechat_tokens set expires_at = now() + interval '4 minutes'`;
    expect((await posterOf(await signUp("Expiring"))).kind).toBe("mini_program");
    expect(wechat.take(TOKEN)).toHaveLength(1);
  });
});

describe("a mini-program code that is not available", () => {
  it.each<Mood>([
    "rate limited",
    "busy",
    "broken",
    "html",
    "truncated",
    "cut off",
    "empty",
    "endless",
    "redirecting",
    "refusing every token",
  ])("because WeChat is %s is replaced by a QR code of the share link", async (mood) => {
    wechat.mood = mood;
    const member = await signUp("Unlucky");
    await expectQrPoster(member, await posterOf(member));
  });

  it.each<Mood>(["silent", "half silent"])("because WeChat is %s is replaced after three seconds", async (mood) => {
    wechat.mood = mood;
    const member = await signUp("Waiting");
    const start = performance.now();
    const poster = await posterOf(member);
    expect(performance.now() - start).toBeGreaterThan(2900);
    expect(performance.now() - start).toBeLessThan(10_000);
    await expectQrPoster(member, poster);
  });

  it("because WeChat returns no access token is replaced as well", async () => {
    await sql`delete from app.wechat_tokens`;
    wechat.mood = "no token";
    const member = await signUp("Without a token");
    await expectQrPoster(member, await posterOf(member));
  });

  it("is requested again only later, and the poster then has it", async () => {
    wechat.mood = "broken";
    const member = await signUp("Patient");
    const first = await posterOf(member);
    wechat.mood = "well";
    wechat.received.splice(0);
    expect(await posterOf(member)).toEqual(first);
    expect(wechat.received).toEqual([]);
    await endRetryPause(member);
    const second = await posterOf(member);
    expect(second.kind).toBe("mini_program");
    expect(second.image_url).not.toBe(first.image_url);
  });

  it("leaves the poster unchanged if the request fails again", async () => {
    wechat.mood = "broken";
    const member = await signUp("Unlucky twice");
    const first = await posterOf(member);
    await endRetryPause(member);
    expect(await posterOf(member)).toEqual(first);
  });

  it("is replaced without a request if no mini program is configured", async () => {
    const member = await signUp("In a browser");
    const { body } = await call("GET", "/api/spread/poster", { token: member.token });
    expect(body.image_url).toMatch(new RegExp(`^${stack().functions_url}/poster/image/[0-9a-f-]{36}\\.png$`));
    await expectQrPoster(member, body);
    expect(() => readMiniProgram(new Map([["STORE_WECHAT_MINI_APPID", "wx"]]))).toThrow("STORE_WECHAT_MINI_SECRET");
  });
});

describe("the avatar", () => {
  // The fake host of avatars is reached over http, which only the project and the share page may be.
  let project: string;
  beforeAll(async () => {
    project = (await sql`select project_url from app.function_settings`)[0]?.project_url;
    await sql`update app.function_settings set project_url = ${wechatUrl}`;
  });
  afterAll(async () => {
    await sql`update app.function_settings set project_url = ${project}`;
  });

  async function memberWith(avatar: string): Promise<Account> {
    const account = await signUp("With a face");
    await sql`update app.users set avatar = ${avatar} where uid = ${account.uid}`;
    return account;
  }
  const avatarPixel = async (account: Account) =>
    pixel((await pictureAt((await posterOf(account)).image_url)).png, AVATAR_PIXEL);
  const BLUE = [0, 0, 200];

  it("is fetched once, for one drawing, if the picture is requested five times at once", async () => {
    const { image_url } = await posterOf(await memberWith(`${wechatUrl}/avatar.png`));
    wechat.take("/avatar.png");
    const pictures = await Promise.all(Array.from({ length: 5 }, () => pictureAt(image_url)));
    for (const { png } of pictures) expect(pixel(png, AVATAR_PIXEL)).toEqual(BLUE);
    expect(wechat.take("/avatar.png")).toHaveLength(1);
  });

  // Guarantee money/poster
  it("is fetched once, for one drawing, if two instances are asked for the picture at once", async () => {
    const other = await serveEdgeFunction("poster", stack().database_url, {});
    try {
      const { image_url } = await posterOf(await memberWith(`${wechatUrl}/avatar.png`));
      wechat.take("/avatar.png");
      const pictures = await Promise.all(
        [image_url, image_url.replace(poster.base, other.base)].flatMap((url) => [url, url, url]).map(pictureAt),
      );
      for (const { png } of pictures) expect(pixel(png, AVATAR_PIXEL)).toEqual(BLUE);
      expect(wechat.take("/avatar.png")).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it("is on the poster if its origin is allowed", async () => {
    expect(await avatarPixel(await memberWith(`${wechatUrl}/avatar.png`))).toEqual(BLUE);
  });

  it.each([
    ["of a host that is not allowed", () => wechatUrl.replace("127.0.0.1", "localhost")],
    ["of another port", () => "http://127.0.0.1:1"],
    ["that hides the host in a name", () => `${wechatUrl}@localhost`],
    ["that is redirected", () => `${wechatUrl}/elsewhere?`],
    ["that is not there", () => `${wechatUrl}/nothing?`],
    ["that is no address", () => "https://:"],
  ])("%s is omitted, and only allowed origins receive requests", async (_kind, address) => {
    const member = await memberWith(`${address()}/avatar.png`);
    wechat.received.splice(0);
    expect(await avatarPixel(member)).not.toEqual(BLUE);
    expect(wechat.take("/avatar.png")).toEqual([]);
  });

  it("is stored at sign-up", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await supabaseClient().auth.signUp({
      email,
      password: crypto.randomUUID(),
      options: { data: { avatar: "https://thirdwx.qlogo.cn/a/132" } },
    });
    const [user] =
      await sql`select u.avatar from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`;
    expect(user?.avatar).toBe("https://thirdwx.qlogo.cn/a/132");
  });
});

describe("GET /poster/image/{file}", () => {
  it.each(["nothing", "nothing.png", `${crypto.randomUUID()}.jpg`, `${crypto.randomUUID().toUpperCase()}.png`])(
    "rejects the file name %s",
    async (file) => {
      expectProblem(await call("GET", `/poster/image/${file}`), "invalid_argument");
    },
  );

  it("serves a picture to anyone who knows its file name", async () => {
    const { image_url } = await posterOf(await signUp("On a public poster"));
    const { status, headers } = await call("GET", new URL(image_url).pathname, { base: poster.base });
    expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
    expectProblem(await call("GET", `/poster/image/${crypto.randomUUID()}.png`), "poster_not_found");
  });

  it("sends errors that may not be cached", async () => {
    const reply = await call("GET", `/poster/image/${crypto.randomUUID()}.png`);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });
});
