import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, setPhone, setRole, signUp, signUpAdmin } from "./client.ts";

let admin: Account;
let member: Account;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Administrator"), signUp("Mei")]);
});

describe("PUT /api/user", () => {
  const set = (json: object) => call("PUT", "/api/user", { token: member.token, json });

  it("changes nickname and avatar, each alone, and removes the avatar", async () => {
    expect((await set({ nickname: "Mei\u00ad  Ling", avatar: "https://wx.qlogo.cn/mei" })).body).toMatchObject({
      uid: member.uid,
      nickname: "Mei Ling",
      avatar: "https://wx.qlogo.cn/mei",
    });
    expect((await set({ nickname: "Mei" })).body).toMatchObject({ nickname: "Mei", avatar: "https://wx.qlogo.cn/mei" });
    expect((await set({ avatar: "" })).body).toMatchObject({ nickname: "Mei", avatar: null });
    expect((await call("GET", "/api/user", { token: member.token })).body).toMatchObject({
      nickname: "Mei",
      avatar: null,
    });
  });

  it.each([
    [{}, ""],
    [{ nickname: "" }, "/nickname"],
    [{ nickname: "\u200b" }, "/nickname"],
    [{ nickname: "a".repeat(65) }, "/nickname"],
    [{ avatar: "javascript:1" }, "/avatar"],
    [{ spread_uid: 1 }, "/spread_uid"],
  ])("rejects %j", async (json, pointer) => {
    const reply = await set(json);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors[0].pointer).toBe(pointer);
  });
});

describe("avatars of origins that are not allowed", () => {
  it("are rejected with the origins that are, hidden when an owner removes their origin, and shown again with it", async () => {
    const elsewhere = { avatar: "https://tracker.example.com/a.png" };
    const put = (json: object) => call("PUT", "/api/user", { token: member.token, json });
    const allow = async (avatar_origins: string[]) => {
      const { status, body } = await call("PUT", "/adminapi/system/settings", {
        token: admin.token,
        json: { avatar_origins },
      });
      expect([status, body.avatar_origins]).toEqual([200, avatar_origins]);
    };
    const mine = async () => (await call("GET", "/api/user", { token: member.token })).body.avatar;

    const rejected = await put(elsewhere);
    expectProblem(rejected, "invalid_argument");
    expect(rejected.body.errors).toEqual([
      {
        in: "body",
        pointer: "/avatar",
        detail: expect.stringMatching(
          /^The picture must be on one of these sites: (?:http:\S+, )+https:\/\/thirdwx\.qlogo\.cn, https:\/\/wx\.qlogo\.cn\.$/,
        ),
      },
    ]);
    const before = (await call("GET", "/adminapi/system/settings", { token: admin.token })).body.avatar_origins;
    await allow(["https://tracker.example.com"]);
    expect((await put(elsewhere)).body.avatar).toBe(elsewhere.avatar);
    await allow(before);
    expect(await mine()).toBeNull();
    await allow([...before, "https://tracker.example.com"]);
    expect(await mine()).toBe(elsewhere.avatar);
    await allow(before);
    await put({ avatar: "" });

    const wrong = await call("PUT", "/adminapi/system/settings", {
      token: admin.token,
      json: { avatar_origins: ["https://example.com/path"] },
    });
    expectProblem(wrong, "invalid_argument");
    expect(wrong.body.errors[0].pointer).toBe("/avatar_origins");
  });
});

describe("words that the store refuses", () => {
  const word = "unmentionable";
  const use = async (refused_words: string[]) => {
    const { status, body } = await call("PUT", "/adminapi/system/settings", {
      token: admin.token,
      json: { refused_words },
    });
    expect([status, body.refused_words]).toEqual([200, refused_words.map((one) => one.toLowerCase())]);
  };

  beforeAll(() => use([word.toUpperCase()]));
  afterAll(() => use([]));

  it("are refused in a nickname and in the remark of an order, without being named", async () => {
    const product = await addProduct("Thing with a remark", "20.00", false);
    for (const [method, path, pointer, json] of [
      ["PUT", "/api/user", "/nickname", { nickname: "Un Mentionable" }],
      ["POST", "/api/order", "/remark", { items: [{ product_id: product, quantity: 1 }], remark: "ｕｎmentionable" }],
    ] as const) {
      const reply = await call(method, path, { token: member.token, json });
      expectProblem(reply, "text_not_allowed");
      expect(reply.body.errors).toEqual([
        { in: "body", pointer, detail: "The text contains words that this store does not allow." },
      ]);
      expect(JSON.stringify(reply.body)).not.toContain(word);
      const chinese = await call(method, path, {
        token: member.token,
        json,
        init: { headers: { "accept-language": "zh-CN" } },
      });
      expect(chinese.body.errors[0].detail).toBe("内容含有本商城不允许使用的文字。");
    }
    expect((await call("GET", "/api/user", { token: member.token })).body.nickname).not.toMatch(/mentionable/i);
  });

  it("are at most 500, and none that nobody sees", async () => {
    for (const refused_words of [
      ["\u200b"],
      ["x".repeat(51)],
      Array.from({ length: 501 }, (_, index) => `word ${index}`),
    ]) {
      const reply = await call("PUT", "/adminapi/system/settings", { token: admin.token, json: { refused_words } });
      expectProblem(reply, "invalid_argument");
      expect(reply.body.errors[0].pointer).toMatch(/^\/refused_words/);
    }
  });
});

describe("what members see of their level and points", () => {
  it("is their level with the tasks of the next one, and the active levels", async () => {
    const { status, body } = await call("GET", "/api/agent/level", { token: member.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ agent_level: 0, is_held: false, next: { agent_level: 1 } });
    expect(body.levels[0].grade).toBe(0);
    expect(body.levels.every(({ is_active }: { is_active: boolean }) => is_active)).toBe(true);
    expect(body.next.tasks.every(({ current, met }: { current: number; met: boolean }) => current === 0 && !met)).toBe(
      true,
    );
  });

  it("is what will be released to them", async () => {
    const { status, body } = await call("GET", "/api/hjf/points/forecast", { token: member.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      uid: member.uid,
      frozen_points: 0,
      forecast: [{ days: 1, release_points: 0 }, { days: 30 }, { days: 365 }, { days: 3650 }],
    });
  });
});

describe("PUT /api/user/spread", () => {
  const bind = (account: Account, spread_uid: unknown) =>
    call("PUT", "/api/user/spread", { token: account.token, json: { spread_uid } });

  it("binds a member once", async () => {
    const referred = await signUp("Newcomer");
    expect((await bind(referred, member.uid)).body).toEqual({ uid: referred.uid, spread_uid: member.uid });
    expect((await call("GET", "/api/user", { token: referred.token })).body.spread_uid).toBe(member.uid);
    expectProblem(await bind(referred, admin.uid), "spread_already_bound");
  });

  it("rejects the member, an unknown member and a member of the own downline as referrer", async () => {
    const top = await signUp("Top");
    const below = await signUp("Below", top.uid);
    expectProblem(await bind(top, top.uid), "spread_is_self");
    expectProblem(await bind(top, 900_000_000_000_001), "spread_unknown");
    expectProblem(await bind(top, below.uid), "spread_in_own_downline");
  });

  it.each([undefined, null, "1", 0, -1, 1.5, 2 ** 53, {}])(
    "rejects %j as a uid and names the field",
    async (spread_uid) => {
      const reply = await bind(member, spread_uid);
      expectProblem(reply, "invalid_argument");
      expect(reply.body.errors).toEqual([expect.objectContaining({ in: "body", pointer: "/spread_uid" })]);
    },
  );
});

describe("PUT /adminapi/hjf/member/{uid}/no_assess", () => {
  const set = (json?: unknown, uid: number | string = member.uid) =>
    call("PUT", `/adminapi/hjf/member/${uid}/no_assess`, { token: admin.token, json });

  it.each([
    [{ no_assess: true }, true],
    [{ no_assess: false }, false],
    [{ no_assess: 1 }, true],
    [{ no_assess: 0 }, false],
    [{ status: 1 }, true],
    [{ status: false }, false],
    [{ no_assess: 1, status: true }, true],
    [{ status: 0, no_assess: false }, false],
    [undefined, true],
  ])("takes %j for %s", async (json, flag) => {
    expect((await set(json)).body).toEqual({ uid: member.uid, no_assess: flag });
    expect((await call("GET", "/api/user", { token: member.token })).body.no_assess).toBe(flag);
  });

  it.each([{ no_assess: 1, status: 0 }, { no_assess: "1" }, { no_assess: 2 }, { no_assess: null }, { flag: true }, []])(
    "rejects %j and changes nothing",
    async (json) => {
      await set({ no_assess: false });
      expectProblem(await set(json), "invalid_argument");
      expect((await call("GET", "/api/user", { token: member.token })).body.no_assess).toBe(false);
    },
  );

  it("returns 404 for an unknown member", async () => {
    expectProblem(await set({ no_assess: 1 }, 900_000_000_000_001), "user_not_found");
    expectProblem(await set({ no_assess: 1 }, "somebody"), "invalid_argument");
  });

  it("is forbidden to an administrator who was removed, even with a valid token", async () => {
    const former = await signUpAdmin("Former administrator");
    await setRole(former, "authenticated");
    const path = `/adminapi/hjf/member/${member.uid}/no_assess`;
    expectProblem(await call("PUT", path, { token: former.token, json: { no_assess: true } }), "forbidden");
  });
});

describe("GET /adminapi/user", () => {
  const list = (query: string) => call("GET", `/adminapi/user?${query}`, { token: admin.token });

  it("finds members by uid and by a part of the nickname", async () => {
    const nickname = `某人 ${crypto.randomUUID()}`;
    const { uid } = await signUp(nickname);
    for (const search of [String(uid), nickname, nickname.slice(3)]) {
      const { body } = await list(new URLSearchParams({ search }).toString());
      expect(body).toMatchObject({ count: 1, list: [{ uid, nickname, frozen_points: 0, available_points: 0 }] });
    }
  });

  // Guarantee privacy/contact-search
  it("finds nobody by phone number or email address, unlike the search that is recorded, which finds the current ones of the Auth account", async () => {
    const account = await signUp("Caller");
    const phone = `86138${String(account.uid).padStart(8, "0")}`;
    await setPhone(account, phone);
    const contact = async (text: string) =>
      (await call("POST", "/adminapi/search/contact", { token: admin.token, json: { contact: text } })).body.uid;
    for (const text of [phone, account.email, account.email.toUpperCase()]) {
      expect((await list(new URLSearchParams({ search: text }).toString())).body.count, text).toBe(0);
      expect(await contact(text), text).toBe(account.uid);
    }
    expect(await contact(account.email.slice(0, -1))).toBeNull();
    await setPhone(account, null);
    expect(await contact(phone)).toBeNull();
  });

  it("lists the direct members of a member, filtered by level and flag", async () => {
    const top = await signUp("Top of three");
    const [first, second] = [await signUp("First", top.uid), await signUp("Second", top.uid)];
    await signUp("Below", first.uid);
    await call("PUT", `/adminapi/hjf/member/${second.uid}/no_assess`, { token: admin.token });
    const found = async (query: string) =>
      (await list(`spread_uid=${top.uid}&${query}`)).body.list.map(({ uid }: { uid: number }) => uid);
    expect(await found("sort=uid")).toEqual([first.uid, second.uid]);
    expect(await found("no_assess=1")).toEqual([second.uid]);
    expect(await found("agent_level=1")).toEqual([]);
    expect(await found("sort=-add_time")).toEqual([second.uid, first.uid]);
    expect(await found("sort=add_time&limit=1&page=2")).toEqual([second.uid]);
  });

  it.each(["frozen_points", "available_points", "total_points_earned", "brokerage_price"])(
    "sorts by %s, ascending and descending",
    async (column) => {
      const values = async (sort: string) =>
        (await list(`sort=${sort}&limit=100`)).body.list.map((row: Record<string, unknown>) => Number(row[column]));
      const up = await values(column);
      expect(up).toEqual([...up].sort((a, b) => a - b));
      const down = await values(`-${column}`);
      expect(down).toEqual([...down].sort((a, b) => b - a));
    },
  );

  it("pages and sorts", async () => {
    const first = (await list("limit=1&sort=uid")).body;
    const second = (await list("limit=1&page=2&sort=uid")).body;
    expect(first.list).toHaveLength(1);
    expect(second.list[0].uid).toBeGreaterThan(first.list[0].uid);
    expect((await list("page=1000000")).body.list).toEqual([]);
  });

  it("treats empty filters as absent and ignores parameters that client libraries add for the platform", async () => {
    expect((await list("search=&agent_level=&no_assess=&forceFunctionRegion=ap-southeast-1")).status).toBe(200);
  });

  it.each([
    ["page=0", "/page"],
    ["page=1e3", "/page"],
    ["limit=101", "/limit"],
    ["limit=-1", "/limit"],
    ["no_assess=maybe", "/no_assess"],
    ["sort=phone", "/sort"],
    ["spread_uid=me", "/spread_uid"],
    ["nickname=Mei", "/nickname"],
    ["agent_level=99999", "/agent_level"],
    ["search=%00", "/search"],
    ["page=1&page=2", "/page"],
  ])("rejects %s", async (query, pointer) => {
    const reply = await list(query);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ in: "query", pointer })]);
  });

  it("names every invalid field in one response", async () => {
    const reply = await list("page=x&limit=y&sort=z");
    expect(reply.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["/page", "/limit", "/sort"]);
  });
});

describe("PUT /adminapi/user/{uid}/spread", () => {
  const set = (uid: number, json: unknown, account = admin) =>
    call("PUT", `/adminapi/user/${uid}/spread`, { token: account.token, json });
  const reason = "She opened the link of her neighbour";

  it("corrects a referrer, after a preview, and keeps the reason", async () => {
    const [right, wrong] = await Promise.all([signUp("Right"), signUp("Wrong")]);
    const buyer = await signUp("Buyer", String(wrong.uid));
    const preview = await call("POST", `/adminapi/user/${buyer.uid}/spread/preview`, {
      token: admin.token,
      json: { spread_uid: right.uid },
    });
    const change = {
      uid: buyer.uid,
      from: { uid: wrong.uid, nickname: "Wrong" },
      to: { uid: right.uid, nickname: "Right" },
      orders: 0,
    };
    expect(preview).toMatchObject({ status: 200, body: change });
    expect((await call("GET", `/adminapi/user/${buyer.uid}`, { token: admin.token })).body.referrer.uid).toBe(
      wrong.uid,
    );
    expect(await set(buyer.uid, { spread_uid: right.uid, reason })).toMatchObject({ status: 200, body: change });
    expect((await call("GET", `/adminapi/user/${buyer.uid}`, { token: admin.token })).body.referrer.uid).toBe(
      right.uid,
    );
    const history = await call("GET", `/adminapi/user/${buyer.uid}/spread_change`, { token: admin.token });
    expect(history.body).toMatchObject({
      count: 1,
      list: [{ from_uid: wrong.uid, from_nickname: "Wrong", to_uid: right.uid, to_nickname: "Right", reason }],
    });
    // A repeated request finds the referrer as it is.
    expect((await set(buyer.uid, { spread_uid: right.uid, reason })).body.from.uid).toBe(right.uid);
    const logged = await call("GET", `/adminapi/action?target_id=${buyer.uid}&function=set_spread`, {
      token: admin.token,
    });
    expect(logged.body.list[1]).toMatchObject({ from: { spread_uid: wrong.uid }, to: { spread_uid: right.uid } });
  });

  it("says why a referrer cannot be set", async () => {
    const [referrer, buyer] = await Promise.all([signUp("Referrer"), signUp("Buyer")]);
    const product_id = await addProduct("Queue goods", "10.00", true);
    const { id } = (
      await call("POST", "/api/order", { token: buyer.token, json: { items: [{ product_id, quantity: 1 }] } })
    ).body;
    await call("PUT", `/adminapi/order/${id}/pay`, { token: admin.token, json: {} });
    await expect
      .poll(async () => (await set(buyer.uid, { spread_uid: referrer.uid, reason })).body.code)
      .toBe("spread_decided");
    expectProblem(await set(buyer.uid, { spread_uid: buyer.uid, reason }), "spread_is_self");
    expectProblem(await set(buyer.uid, { spread_uid: 900_000_000_000_001, reason }), "spread_unknown");
    expectProblem(await set(900_000_000_000_001, { spread_uid: referrer.uid, reason }), "user_not_found");
    expectProblem(await set(referrer.uid, { spread_uid: admin.uid, reason }), "own_account");
  });

  it.each([
    {},
    { spread_uid: 1 },
    { spread_uid: "1", reason },
    { spread_uid: 1, reason: " " },
    { spread_uid: 1, reason: "a".repeat(501) },
  ])("rejects %j", async (json) => expectProblem(await set(member.uid, json), "invalid_argument"));

  it("is refused to members", async () => {
    expectProblem(await set(member.uid, { spread_uid: 1, reason }, member), "forbidden");
  });
});
