import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PNG } from "pngjs";

/** A picture in one colour. */
export function plainPng(red: number, green: number, blue: number, size = 430): Buffer {
  const png = new PNG({ width: size, height: size });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([red, green, blue, 255], at);
  return PNG.sync.write(png);
}

const GREEN_CODE = plainPng(0, 160, 0);

/** How the fake WeChat responds to a request for a code. */
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
  | "refusing every token";

/** A fake WeChat server, and a host of avatars. */
export class FakeWechat {
  mood: Mood = "well";
  /** The valid access token. Changing it invalidates the previous one. */
  token = "token-1";
  /** The token that `stable_token` returns without a forced refresh, usually the valid one. */
  stableToken: string | undefined;
  /** The received requests, by path. */
  readonly asked: { path: string; query: URLSearchParams; body: Record<string, unknown> }[] = [];
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The number of requests for a path since the last call. */
  take(path: string): Record<string, unknown>[] {
    const found = this.asked.filter((request) => request.path === path);
    this.asked.splice(0);
    return found.map(({ body }) => body);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, "http://wechat");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = text ? JSON.parse(text) as Record<string, unknown> : {};
    this.asked.push({ path: url.pathname, query: url.searchParams, body });
    if (url.pathname === "/cgi-bin/stable_token") this.giveToken(body, response);
    else if (url.pathname === "/wxa/getwxacodeunlimit") this.giveCode(url.searchParams.get("access_token"), response);
    else if (url.pathname === "/avatar.png") response.end(plainPng(0, 0, 200, 132));
    else if (url.pathname === "/elsewhere") response.writeHead(302, { location: "/avatar.png" }).end();
    else response.writeHead(404).end();
  }

  private giveToken({ appid, secret, force_refresh: force }: Record<string, unknown>, response: ServerResponse): void {
    if (this.mood === "no token" || appid !== "wx0000000000000001" || secret !== "the-secret") return json(response, { errcode: 40125, errmsg: "invalid appsecret" });
    json(response, { access_token: force ? this.token : this.stableToken ?? this.token, expires_in: 7200 });
  }

  private giveCode(token: string | null, response: ServerResponse): void {
    const { mood } = this;
    if (token !== this.token || mood === "refusing every token") return json(response, { errcode: 42001, errmsg: "access_token expired" });
    if (mood === "silent") return;
    if (mood === "half silent") return void response.writeHead(200, { "content-type": "image/png" }).write(GREEN_CODE.subarray(0, 100));
    if (mood === "rate limited") return json(response, { errcode: 45009, errmsg: "reach max api daily quota limit" });
    if (mood === "busy") return json(response, { errcode: -1, errmsg: "system error" });
    if (mood === "broken") return void response.writeHead(500, { "content-type": "image/png" }).end(GREEN_CODE);
    if (mood === "html") return void response.writeHead(200, { "content-type": "text/html" }).end("<html><body>502 Bad Gateway</body></html>");
    if (mood === "truncated") return void response.writeHead(200, { "content-type": "image/png" }).end(GREEN_CODE.subarray(0, GREEN_CODE.length - 20));
    if (mood === "cut off") {
      response.writeHead(200, { "content-type": "image/png", "content-length": GREEN_CODE.length }).write(GREEN_CODE.subarray(0, 200));
      return void response.socket?.destroy();
    }
    if (mood === "empty") return void response.writeHead(200, { "content-type": "image/png" }).end();
    if (mood === "endless") return void response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(4 * 1024 * 1024));
    if (mood === "redirecting") return void response.writeHead(302, { location: "/avatar.png" }).end();
    response.writeHead(200, { "content-type": "image/png" }).end(GREEN_CODE);
  }
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json; encoding=utf-8" }).end(JSON.stringify(body));
}
