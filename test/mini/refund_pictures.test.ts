import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Account, addProduct, signUpAdmin } from "../api/client.ts";
import { buy } from "../api/scenario.ts";
import type { Phone } from "../support/mini_program/phone.ts";
import { signInOn, WechatStore } from "../support/mini_program/wechat_store.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";

const store = new WechatStore();
const damage = (red: number) => plainPng(red, 20, 30);
let phone: Phone;
let admin: Account;
let cup: number;
let order: number;

beforeAll(async () => {
  await store.start();
  [admin, cup] = await Promise.all([
    signUpAdmin("Looks at pictures of phones"),
    addProduct("Cup of the phones", "20.00", false),
  ]);
});
afterAll(() => store.stop());
beforeEach(async () => {
  const { phone: own, openid } = store.newPhone();
  phone = own;
  await signInOn(phone);
  const token = phone.fake.requests
    .findLast(({ header }) => header?.authorization)!
    .header!.authorization!.slice("Bearer ".length);
  ({ id: order } = await buy({ token, uid: await store.uidOf(openid), email: "", password: "" }, admin, cup));
  await phone.open(`/pages/order/order?id=${order}`);
  await phone.tap("申请退款");
});

const uploads = () => phone.fake.requests.filter(({ url }) => url.endsWith("/picture/refund")).length;
const kept = () =>
  store.sql`select count(p.id)::integer as pictures, count(distinct r.id)::integer as refunds
    from app.refunds as r left join app.pictures as p on p.refund_id = r.id where r.order_id = ${order}`;

it("pictures of what is wrong go with the request, and are seen at the order", async () => {
  phone.files.chosen = [damage(1), damage(2), damage(3)];
  await phone.tap("添加图片");
  await phone.tap("删除图片 2");
  await phone.tap("商品损坏");
  await phone.tap("提交申请");
  expect(phone.route).toBe("pages/order/order");
  expect(await kept()).toEqual([{ pictures: 2, refunds: 1 }]);
  await phone.tap("图片 2");
  const [{ urls, current }] = phone.previews as [(typeof phone.previews)[number]];
  expect([urls.length, urls.indexOf(current)]).toEqual([2, 1]);
  expect((await fetch(current)).status).toBe(200);
});

it("a request has six at most, and can have none", async () => {
  phone.files.chosen = Array.from({ length: 9 }, (_, at) => damage(at));
  await phone.tap("添加图片");
  expect(uploads()).toBe(6);
  await expect(phone.tap("添加图片")).rejects.toThrow("shows no");
  for (let left = 6; left > 0; left -= 1) await phone.tap("删除图片 1");
  // The member closes the album.
  phone.files.chosen = undefined;
  await phone.tap("添加图片");
  expect(phone.screen).not.toContain("重试");
  await phone.tap("商品损坏");
  await phone.tap("提交申请");
  expect(await kept()).toEqual([{ pictures: 0, refunds: 1 }]);
});

it("after the connection was lost, only those are uploaded that are left", async () => {
  phone.files.chosen = [damage(1), damage(2), damage(3)];
  phone.loses = ({ url }) => url.endsWith("/picture/refund") && uploads() === 2;
  await phone.tap("添加图片");
  expect(phone.screen).toContain("暂时无法连接商城");
  phone.loses = () => false;
  await phone.tap("重试");
  expect(uploads()).toBe(4);
  await phone.tap("商品损坏");
  await phone.tap("提交申请");
  expect(await kept()).toEqual([{ pictures: 3, refunds: 1 }]);
});

it("two taps choose and upload once, and a refusal of the phone or of the store is told", async () => {
  phone.files.chosen = [damage(1)];
  const first = phone.tap("添加图片");
  await expect(phone.tap("添加图片")).rejects.toThrow("disabled");
  await first;
  expect(uploads()).toBe(1);
  phone.files.allowsCamera = false;
  await phone.tap("添加图片");
  expect(phone.screen).toContain("无法打开图片");
  phone.files.allowsCamera = true;
  phone.files.chosen = [Buffer.from("no picture")];
  await phone.tap("重试");
  expect(phone.screen).not.toContain("无法打开图片");
  expect(phone.screen).toContain("重试");
  expect(uploads()).toBe(2);
});
