import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { PNG } from "pngjs";
import { H5, MINI, MINI_PUSH } from "./apps.ts";
import { listenOnLoopback, stopServer } from "../loopback_server.ts";

/** A picture in one colour. */
export function plainPng(red: number, green: number, blue: number, size = 430): Buffer {
  const png = new PNG({ width: size, height: size });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, green, blue, 255], at);
  return PNG.sync.write(png);
}

const GREEN_CODE = plainPng(0, 160, 0);

/** What a code of a user stands for. */
interface Grant {
  appid: string;
  /** The fields of a successful response. */
  fields: Record<string, unknown>;
}

/** How the fake WeChat responds to requests for codes and for users. */
export type Mood =
  | "well"
  | "silent"
  | "half silent"
  | "rate limited"
  | "busy"
  | "broken"
  | "html"
  | "truncated"
  | "cut off"
  | "empty"
  | "endless"
  | "redirecting"
  | "no token"
  | "risk controlled"
  | "asked too often"
  | "unheard of"
  | "refusing every token";

/** A fake WeChat server, and a host of avatars. */
export class FakeWechat {
  mood: Mood = "well";
  /** The valid access token. Changing it invalidates the previous one. */
  token = "token-1";
  /** The token that `stable_token` returns without a forced refresh, usually the valid one. */
  stableToken: string | undefined;
  /** The ticket by which pages of the service account are signed. */
  ticket = "ticket-1";
  /** The received requests, by path. */
  readonly received: { path: string; query: URLSearchParams; body: Record<string, unknown> }[] = [];
  /** Whether WeChat keeps the money of orders until they are shipped. */
  isTradeManaged = true;
  /** Orders that were paid in the mini program, by transaction id: 1 to ship, 2 shipped. */
  readonly orders = new Map<string, number>();
  /** How often each user may still get a message of each template, by `openid template`. */
  readonly consents = new Map<string, number>();
  /** The fields of each template of subscribe messages, by its id. */
  readonly templates = new Map<string, string[]>();
  /** The subscribe messages that users were shown. */
  readonly shown: { openid: string; template: string; fields: Record<string, string> }[] = [];
  /** What WeChat says of texts, if they do not pass, by the text: a suggestion, or an error code. */
  readonly verdicts = new Map<string, string | number>();
  /** The pictures that WeChat was asked about, as it has fetched them. */
  readonly pictures: { trace_id: string; openid: string; scene: number; url: string; bytes: Buffer }[] = [];
  /** The error codes that the next questions about pictures get. */
  readonly pictureTroubles: number[] = [];
  /**
   * What the next subscribe messages meet, in order: an error code, or a response that is lost or late after the
   * message was shown.
   */
  readonly messageTroubles: (number | "lost" | "late")[] = [];
  /** Send the responses that are late. */
  readonly lateResponses: (() => void)[] = [];
  /** The codes that users got and that were not used yet. Used ones are undefined. */
  private readonly grants = new Map<string, Grant | undefined>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  start(): Promise<string> {
    return listenOnLoopback(this.server);
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  /** The bodies of the requests for a path since the last call. */
  take(path: string): Record<string, unknown>[] {
    const found = this.received.filter((request) => request.path === path);
    this.received.splice(0);
    return found.map(({ body }) => body);
  }

  /**
   * Whether WeChat accepts the parameters of wx.config on a page, as docs/wechat_sharing.md says.
   * @param url of the page, without the part behind #
   */
  accepts(url: string, page: { app_id: unknown; timestamp: unknown; nonce_str: unknown; signature: unknown }): boolean {
    const fields = { jsapi_ticket: this.ticket, noncestr: page.nonce_str, timestamp: page.timestamp, url };
    const text = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
    return page.app_id === H5.appid && page.signature === createHash("sha1").update(text.join("&")).digest("hex");
  }

  /** A code with which a user of an app signs in. */
  codeOf(openid: string, fields: Record<string, unknown> = {}, { appid } = MINI): string {
    return this.grant({ appid, fields: { openid, ...fields } });
  }

  /** A code of a user who shares a phone number with the mini program. */
  phoneCodeOf(purePhoneNumber: string, countryCode = "86", appid = MINI.appid): string {
    const phoneNumber = countryCode === "86" ? purePhoneNumber : `+${countryCode}${purePhoneNumber}`;
    return this.grant({
      appid: MINI.appid,
      fields: { phone_info: { phoneNumber, purePhoneNumber, countryCode, watermark: { timestamp: 1, appid } } },
    });
  }

  private grant(grant: Grant): string {
    const code = randomBytes(16).toString("hex");
    this.grants.set(code, grant);
    return code;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://wechat");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text ? (JSON.parse(text) as Record<string, unknown>) : {};
    this.received.push({ path: url.pathname, query: url.searchParams, body });
    if (url.pathname === "/cgi-bin/stable_token") this.giveToken(body, response);
    else if (url.pathname === "/cgi-bin/ticket/getticket") this.giveTicket(url.searchParams, response);
    else if (url.pathname === "/wxa/getwxacodeunlimit") this.giveCode(url.searchParams.get("access_token"), response);
    else if (url.pathname === "/sns/jscode2session")
      this.signIn(url.searchParams, MINI, url.searchParams.get("js_code"), response);
    else if (url.pathname === "/sns/oauth2/access_token")
      this.signIn(url.searchParams, H5, url.searchParams.get("code"), response);
    else if (url.pathname === "/wxa/business/getuserphonenumber")
      this.givePhone(url.searchParams.get("access_token"), body.code, response);
    else if (url.pathname.startsWith("/wxa/sec/order/") || url.pathname.startsWith("/cgi-bin/express/"))
      this.ship(url, body, response);
    else if (url.pathname === "/cgi-bin/message/subscribe/send")
      this.showMessage(url.searchParams.get("access_token"), body, response);
    else if (url.pathname === "/wxa/msg_sec_check")
      this.checkText(url.searchParams.get("access_token"), body, response);
    else if (url.pathname === "/wxa/media_check_async")
      await this.takePicture(url.searchParams.get("access_token"), body, response);
    else if (url.pathname === "/avatar.png") response.end(plainPng(0, 0, 200, 132));
    else if (url.pathname === "/elsewhere") response.writeHead(302, { location: "/avatar.png" }).end();
    else response.writeHead(404).end();
  }

  private giveToken({ appid, secret, force_refresh: force }: Record<string, unknown>, response: ServerResponse): void {
    if (this.mood === "no token" || ![MINI, H5].some((app) => app.appid === appid && app.secret === secret))
      return json(response, { errcode: 40125, errmsg: "invalid appsecret" });
    json(response, { access_token: force ? this.token : (this.stableToken ?? this.token), expires_in: 7200 });
  }

  private giveTicket(query: URLSearchParams, response: ServerResponse): void {
    if (query.get("access_token") !== this.token || this.mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    if (query.get("type") !== "jsapi") return json(response, { errcode: 40097, errmsg: "invalid args" });
    json(response, { errcode: 0, errmsg: "ok", ticket: this.ticket, expires_in: 7200 });
  }

  private giveCode(token: string | null, response: ServerResponse): void {
    const { mood } = this;
    if (token !== this.token || mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    if (mood === "half silent")
      return void response.writeHead(200, { "content-type": "image/png" }).write(GREEN_CODE.subarray(0, 100));
    if (mood === "broken") return void response.writeHead(500, { "content-type": "image/png" }).end(GREEN_CODE);
    if (mood === "truncated")
      return void response
        .writeHead(200, { "content-type": "image/png" })
        .end(GREEN_CODE.subarray(0, GREEN_CODE.length - 20));
    if (mood === "cut off") {
      response
        .writeHead(200, { "content-type": "image/png", "content-length": GREEN_CODE.length })
        .write(GREEN_CODE.subarray(0, 200));
      return void response.socket?.destroy();
    }
    if (mood === "empty") return void response.writeHead(200, { "content-type": "image/png" }).end();
    if (mood === "endless")
      return void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(4 * 1024 * 1024));
    if (mood === "redirecting") return void response.writeHead(302, { location: "/avatar.png" }).end();
    response.writeHead(200, { "content-type": "image/png" }).end(GREEN_CODE);
  }

  /** The failures that every API can have. @returns whether it has responded, or never will */
  private failsAlways(response: ServerResponse): boolean {
    const errors: Partial<Record<Mood, unknown>> = {
      "rate limited": { errcode: 45009, errmsg: "reach max api daily quota limit" },
      busy: { errcode: -1, errmsg: "system error" },
      "risk controlled": { errcode: 40226, errmsg: "code blocked" },
      "unheard of": { errcode: 987_654, errmsg: "nobody knows" },
      "asked too often": { errcode: 45011, errmsg: "api minute-quota reach limit" },
    };
    if (this.mood === "silent") return true;
    if (this.mood === "html")
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>502 Bad Gateway</body></html>");
    else if (errors[this.mood]) json(response, errors[this.mood]);
    else return false;
    return true;
  }

  private signIn(query: URLSearchParams, app: typeof MINI, code: string | null, response: ServerResponse): void {
    if (
      query.get("appid") !== app.appid ||
      query.get("secret") !== app.secret ||
      query.get("grant_type") !== "authorization_code"
    ) {
      return json(response, { errcode: 40125, errmsg: "invalid appsecret" });
    }
    // WeChat does not say 0 on success.
    this.redeem(app.appid, code, response, { session_key: "c2Vzc2lvbiBrZXk=" });
  }

  private givePhone(token: string | null, code: unknown, response: ServerResponse): void {
    if (token !== this.token || this.mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    this.redeem(MINI.appid, code as string, response, { errcode: 0, errmsg: "ok" });
  }

  /** The API of order shipping. */
  private ship({ pathname, searchParams }: URL, body: Record<string, unknown>, response: ServerResponse): void {
    const ok = { errcode: 0, errmsg: "ok" };
    if (searchParams.get("access_token") !== this.token)
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    if (pathname.endsWith("/is_trade_managed")) return json(response, { ...ok, is_trade_managed: this.isTradeManaged });
    if (pathname.endsWith("/get_delivery_list")) {
      const delivery_list = [
        { delivery_id: "SF", delivery_name: "顺丰速运" },
        { delivery_id: "ZTO", delivery_name: "中通快递" },
      ];
      return json(response, { ...ok, count: 2, delivery_list });
    }
    const id = String(body.transaction_id ?? (body.order_key as { transaction_id?: string })?.transaction_id);
    const state = this.orders.get(id);
    if (state === undefined) return json(response, { errcode: 10060001, errmsg: "支付单不存在" });
    if (pathname.endsWith("/get_order"))
      return json(response, { ...ok, order: { transaction_id: id, order_state: state } });
    this.orders.set(id, 2);
    json(response, ok);
  }

  /** Shows a user a subscribe message, as docs/wechat_messages.md says. */
  private showMessage(
    token: string | null,
    { touser, template_id, data }: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    if (token !== this.token || this.mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    const trouble = this.messageTroubles.shift();
    if (typeof trouble === "number") return json(response, { errcode: trouble, errmsg: "in trouble" });
    const [openid, template] = [touser as string, template_id as string];
    const known = this.templates.get(template);
    if (!known) return json(response, { errcode: 40037, errmsg: "invalid template_id" });
    const fields = Object.fromEntries(
      Object.entries(data as Record<string, { value: string }>).map(([name, { value }]) => [name, value]),
    );
    const wrong = [...new Set([...known, ...Object.keys(fields)])].find(
      (name) => !known.includes(name) || !fits(name, fields[name]),
    );
    if (wrong) return json(response, { errcode: 47003, errmsg: `argument invalid! data.${wrong}.value invalid` });
    const left = this.consents.get(`${openid} ${template}`) ?? 0;
    if (left === 0) return json(response, { errcode: 43101, errmsg: "user refuse to accept the msg" });
    this.consents.set(`${openid} ${template}`, left - 1);
    this.shown.push({ openid, template, fields });
    if (trouble === "lost") return void response.socket?.destroy();
    const respond = () => json(response, { errcode: 0, errmsg: "ok", msgid: this.shown.length });
    if (trouble === "late") this.lateResponses.push(respond);
    else respond();
  }

  /** Checks a text of a user, as docs/wechat_checks.md says. */
  private checkText(
    token: string | null,
    { version, scene, openid, content }: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    if (token !== this.token || this.mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    if (version !== 2 || ![1, 2, 3, 4].includes(scene as number))
      return json(response, { errcode: 40129, errmsg: "invalid scene" });
    if (typeof openid !== "string" || typeof content !== "string")
      return json(response, { errcode: 47001, errmsg: "data format error" });
    const verdict = this.verdicts.get(content) ?? "pass";
    if (typeof verdict === "number") return json(response, { errcode: verdict, errmsg: "not checked" });
    json(response, {
      errcode: 0,
      errmsg: "ok",
      trace_id: "trace",
      result: { suggest: verdict, label: verdict === "pass" ? 100 : 20_001 },
    });
  }

  /** Takes a picture, of which it tells later (`push`), as docs/wechat_checks.md says. */
  private async takePicture(
    token: string | null,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): Promise<void> {
    const { version, scene, openid, media_type, media_url: url } = body;
    if (token !== this.token || this.mood === "refusing every token")
      return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (this.failsAlways(response)) return;
    const trouble = this.pictureTroubles.shift();
    if (trouble) return json(response, { errcode: trouble, errmsg: "not checked" });
    if (
      version !== 2 ||
      media_type !== 2 ||
      ![1, 2, 3, 4].includes(scene as number) ||
      typeof openid !== "string" ||
      typeof url !== "string"
    )
      return json(response, { errcode: 40129, errmsg: "invalid argument" });
    const trace_id = randomBytes(12).toString("hex");
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    this.pictures.push({ trace_id, openid, scene: scene as number, url, bytes });
    json(response, { errcode: 0, errmsg: "ok", trace_id });
  }

  /** Sends a message to the mini program. @param base of the functions @param forged replaces parts of what is sent */
  push(base: string, message: object, forged: Parameters<FakeWechat["message"]>[1] = {}): Promise<Response> {
    const { path, body } = this.message(message, forged);
    return fetch(base + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** A message to the mini program in secure mode, as docs/wechat_checks.md says. */
  message(
    message: object,
    forged: { appid?: string; signature?: string; encrypted?: string } = {},
  ): { path: string; body: object } {
    const key = Buffer.from(`${MINI_PUSH.key}=`, "base64");
    const text = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    const content = Buffer.concat([randomBytes(16), length, text, Buffer.from(forged.appid ?? MINI.appid)]);
    const filling = 32 - (content.length % 32);
    const cipher = createCipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
    const own = Buffer.concat([
      cipher.update(content),
      cipher.update(Buffer.alloc(filling, filling)),
      cipher.final(),
    ]).toString("base64");
    const query = this.signed([own]);
    if (forged.signature) query.msg_signature = forged.signature;
    return {
      path: `/api/wechat/message?${new URLSearchParams({ ...query, encrypt_type: "aes", openid: "o" }).toString()}`,
      body: { ToUserName: "gh_1", Encrypt: forged.encrypted ?? own },
    };
  }

  /**
   * The parameters by which WeChat signs a request to the mini program.
   * @param encrypted what it sends, if it is a message
   */
  signed(encrypted: string[] = [], token = MINI_PUSH.token): Record<string, string> {
    const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomBytes(4).readUInt32BE().toString()];
    const sign = (parts: string[]) =>
      createHash("sha1")
        .update([token, timestamp, nonce, ...parts].sort().join(""))
        .digest("hex");
    return { timestamp, nonce, signature: sign([]), ...(encrypted.length > 0 && { msg_signature: sign(encrypted) }) };
  }

  /** Exchanges a code, once. */
  private redeem(appid: string, code: string | null, response: ServerResponse, fields: Record<string, unknown>): void {
    if (this.failsAlways(response)) return;
    if (this.mood === "broken") return void response.writeHead(500).end();
    if (this.mood === "cut off") return void response.socket?.destroy();
    const grant = this.grants.get(code ?? "");
    if (!grant && this.grants.has(code ?? "")) return json(response, { errcode: 40163, errmsg: "code been used" });
    if (grant?.appid !== appid) return json(response, { errcode: 40029, errmsg: "invalid code" });
    this.grants.set(code!, undefined);
    json(response, { ...fields, ...grant.fields });
  }
}

/** Whether WeChat takes a value for a field of a template, by the name of the field without its number. */
function fits(name: string, value: string | undefined): boolean {
  const forms: Record<string, RegExp> = {
    thing: /^.{1,20}$/u,
    phrase: /^\p{Script=Han}{1,5}$/u,
    number: /^[\d.]{1,32}$/,
    character_string: /^[\x21-\x7e]{1,32}$/,
    amount: /^[¥$]\d{1,10}(\.\d{1,2})?$/,
    time: /^\d{4}年\d{1,2}月\d{1,2}日 \d{1,2}:\d{2}$/,
  };
  return value !== undefined && (forms[name.replace(/\d+$/, "")]?.test(value) ?? false);
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json; encoding=utf-8" }).end(JSON.stringify(body));
}
