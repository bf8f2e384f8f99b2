import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Phone } from "../support/mini_program/phone.ts";
import { signInOn, WechatStore } from "../support/mini_program/wechat_store.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";

const store = new WechatStore();
let phone: Phone;
let openid: string;

beforeAll(() => store.start());
afterAll(() => store.stop());
beforeEach(async () => {
  ({ phone, openid } = store.newPhone());
  await signInOn(phone);
});

const sentTo = (end: string, method: string) =>
  phone.fake.requests.filter((each) => each.url.endsWith(end) && each.method === method).length;

describe("the profile", () => {
  const kept = async () =>
    (await store.sql`select nickname, avatar from app.users where uid = ${await store.uidOf(openid)}`)[0]!;

  beforeEach(async () => {
    await phone.tap("个人资料");
  });

  it("has the nickname and the picture that the member chooses, and keeps what was typed meanwhile", async () => {
    expect(phone.screen).toContain(`会员编号 ${await store.uidOf(openid)}`);
    expect(phone.screen).toContain("推荐人 无");
    await phone.type("昵称", " 林小林 ");
    phone.files.chosen = [plainPng(200, 100, 50, 600)];
    await phone.tap("更换头像");
    // WeChat shows the page again when its own has gone.
    await phone.open("/pages/security/security");
    await phone.back();
    await phone.tap("保存");
    expect(phone.toasts.at(-1)).toBe("个人资料已保存。");
    expect(phone.route).toBe("pages/me/me");
    expect(phone.screen).toContain("林小林");
    expect(await kept()).toEqual({ nickname: "林小林", avatar: expect.stringMatching(/\/small\.jpg$/) });

    await phone.tap("个人资料");
    await phone.tap("移除");
    await phone.tap("保存");
    expect(await kept()).toEqual({ nickname: "林小林", avatar: null });
  });

  it("says why a picture is not accepted, and sends none that is too large", async () => {
    phone.files.chosen = [Buffer.from("no picture")];
    await phone.tap("更换头像");
    expect(phone.screen).toContain("重试");
    expect(phone.screen).toMatch(/图片/);
    expect(sentTo("/picture/avatar", "POST")).toBe(1);
    phone.files.chosen = [Buffer.alloc(5_000_001)];
    await phone.tap("更换头像");
    expect(phone.screen).toContain("图片过大");
    expect(sentTo("/picture/avatar", "POST")).toBe(1);
    expect((await kept()).avatar).toBeNull();
  });

  it("is saved once by two taps, and after the connection was lost", async () => {
    await phone.type("昵称", "林一");
    const first = phone.tap("保存");
    await expect(phone.tap("保存")).rejects.toThrow("disabled");
    await first;
    expect(sentTo("/api/user", "PUT")).toBe(1);

    await phone.tap("个人资料");
    await phone.type("昵称", "林二");
    phone.isOffline = true;
    await phone.tap("保存");
    expect(phone.screen).toContain("暂时无法连接商城");
    expect(phone.route).toBe("pages/profile/profile");
    phone.isOffline = false;
    await phone.tap("重试");
    expect((await kept()).nickname).toBe("林二");
  });
});

it("the language of the member is kept, also after signing out", async () => {
  await phone.tap("English");
  expect(phone.route).toBe("pages/me/me");
  expect(phone.screen).toContain("Member no.");
  expect(phone.title).toBe("Me");
  await phone.tap("Sign out");
  await phone.openTab("/pages/me/me");
  expect(phone.screen).toContain("Sign in with WeChat");
});

describe("the data of the member", () => {
  beforeEach(async () => {
    await phone.tap("账号与安全");
  });

  it("are sent to a chat as a file, which the phone keeps until the member signs out", async () => {
    await phone.tap("导出我的数据");
    phone.sends = false;
    await phone.tap("发送到聊天");
    expect(phone.screen).not.toContain("重试");
    phone.sends = true;
    await phone.tap("发送到聊天");
    const [{ fileName, content }] = phone.sent as [(typeof phone.sent)[number]];
    expect(fileName).toBe("my_data.json");
    const { records } = JSON.parse(content) as { records: { table: string }[] };
    expect(records.map(({ table }) => table)).toContain("app.users");
    expect(phone.files.stored.size).toBe(1);
    await phone.back();
    await phone.tap("退出登录");
    expect(phone.files.stored.size).toBe(0);
  });

  it("are asked for once by two taps, and a full phone is told", async () => {
    phone.files.hasRoom = false;
    const first = phone.tap("导出我的数据");
    await expect(phone.tap("导出我的数据")).rejects.toThrow("disabled");
    await first;
    expect(sentTo("/api/user/export", "POST")).toBe(1);
    expect(phone.screen).toContain("无法保存文件");
    expect(phone.screen).not.toContain("发送到聊天");
    phone.files.hasRoom = true;
    await phone.tap("重试");
    expect(phone.screen).toContain("发送到聊天");
  });
});

describe("the deletion of the account", () => {
  const openPage = () => phone.open("/pages/deletion/deletion");

  it("needs the consent of the member, is asked for once, and can be taken back", async () => {
    await phone.tap("账号与安全");
    await phone.tap("注销账号");
    expect(phone.screen).toContain("你将放弃");
    await expect(phone.tap("申请注销")).rejects.toThrow("disabled");
    await phone.change("我同意放弃以上权益，并注销账号。", true);
    phone.loses = ({ url, method }) => method === "POST" && url.endsWith("/api/user/deletion");
    await phone.tap("申请注销");
    expect(phone.screen).toContain("暂时无法连接商城");
    phone.loses = () => false;
    await phone.tap("重试");
    expect(phone.toasts.at(-1)).toBe("已申请注销。");
    expect(phone.screen).toContain("账号正在等待注销");
    await phone.tap("撤销申请，保留账号");
    expect(phone.toasts.at(-1)).toBe("账号已保留。");
    expect(phone.screen).toContain("你将放弃");
    await expect(phone.tap("申请注销")).rejects.toThrow("disabled");
  });

  it("waits for what stands in its way", async () => {
    await store.sql`
      with a as (
        insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at)
        select ${await store.uidOf(openid)}, -5, 'For a test', 'booked', now(), now() returning *
      )
      select app.book_entries(array[row(a.uid, 'adjustment', 'adjustment', a.brokerage_delta, 0, 0, null, null, null, null, null, null, null, a.id)::app.bill_entry], '{}', '{}', now()) from a`;
    await openPage();
    expect(phone.screen).toContain("暂时不能注销");
    expect(phone.screen).toMatch(/佣金欠款： -?¥5\.00/);
    expect(phone.screen).not.toContain("申请注销");
  });

  it("is asked for soon after signing in, which WeChat does again", async () => {
    await store.sql`
      update auth.sessions set created_at = created_at - interval '1 hour'
      where user_id = (select auth_id from app.users where uid = ${await store.uidOf(openid)})`;
    await openPage();
    expect(phone.screen).toContain("请先重新登录");
    await phone.tap("微信登录");
    expect(phone.screen).toContain("你将放弃");
  });

  it("is not shown to a visitor, nor without a connection", async () => {
    phone.isOffline = true;
    await openPage();
    expect(phone.screen).toContain("暂时无法连接商城");
    phone.isOffline = false;
    await phone.tap("重试");
    expect(phone.screen).toContain("你将放弃");
    await phone.openTab("/pages/me/me");
    await phone.tap("退出登录");
    await openPage();
    expect(phone.screen).toContain("请先登录");
    expect(phone.screen).not.toContain("你将放弃");
  });
});
