import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { connect, type EdgeFunction, serveEdgeFunction, stack } from "../index.ts";
import { MINI } from "../wechat/apps.ts";
import { FakeWechat } from "../wechat/fake_wechat.ts";
import { FakeWechatPay } from "../wechat/fake_wechat_pay.ts";
import { type BuiltProgram, buildMiniProgram } from "./build.ts";
import { Phone } from "./phone.ts";

/** The phone of a user of WeChat. */
export interface WechatPhone {
  phone: Phone;
  openid: string;
}

/** The store of the test stack with WeChat beside it, and the mini program that calls it: for the tests of one file. */
export class WechatStore {
  readonly pay = new FakeWechatPay();
  sql!: postgres.Sql;
  api!: EdgeFunction;
  private readonly wechat = new FakeWechat();
  private built?: BuiltProgram;

  async start(): Promise<void> {
    this.sql = connect(stack().database_url);
    await this.pay.start();
    this.api = await serveEdgeFunction("api", stack().database_url, {
      ...this.pay.settings(),
      STORE_WECHAT_API_URL: await this.wechat.start(),
      STORE_WECHAT_MINI_APPID: MINI.appid,
      STORE_WECHAT_MINI_SECRET: MINI.secret,
    });
    this.built = await buildMiniProgram(this.api.base);
  }

  async stop(): Promise<void> {
    await this.api?.stop();
    await Promise.all([this.wechat.stop(), this.pay.stop(), this.sql?.end()]);
    this.built?.remove();
  }

  /** A phone on which the mini program was not opened yet, of a user whom the store does not know. */
  newPhone(): WechatPhone {
    const phone = new Phone(this.built!.folder);
    const openid = `o${randomUUID()}`;
    phone.fake.login = () => this.wechat.codeOf(openid);
    phone.elsewhere.set(`${this.api.base}/picture`, `${stack().functions_url}/picture`);
    return { phone, openid };
  }

  /** The number of the member that a user of WeChat has become. */
  async uidOf(openid: string): Promise<number> {
    const [row] = await this
      .sql`select uid::integer from app.wechat_accounts join app.users using (auth_id) where openid = ${openid}`;
    return row!.uid as number;
  }
}

/** Starts the mini program, and signs in from a page that asks for it. */
export async function signInOn(phone: Phone): Promise<void> {
  await phone.launch();
  await phone.openTab("/pages/me/me");
  await phone.tap("微信登录");
  await phone.tap(phone.screen.includes("已阅读，继续") ? "已阅读，继续" : "微信登录");
}
