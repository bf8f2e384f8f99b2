import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post } from "../../functions/worker/webhooks/post.ts";
import { type Egress, findTarget, isPublic, readEgress } from "../../functions/worker/webhooks/target.ts";
import { skipFor } from "../support/index.ts";
import { lacksOpenssl, WebhookReceiver } from "../support/webhook_receiver.ts";

// How the worker connects to webhooks, without a store.

const direct: Egress = { resolve: () => Promise.resolve(["127.0.0.1"]), proxy: undefined, localAuthority: undefined };

describe("an address", () => {
  it.each([
    ["8.8.8.8", true],
    ["172.32.0.1", true],
    ["2606:4700::1111", true],
    ["10.1.2.3", false],
    ["100.64.0.1", false],
    ["127.0.0.1", false],
    ["169.254.169.254", false],
    ["172.16.0.1", false],
    ["192.168.1.1", false],
    ["198.18.0.1", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["0.0.0.0", false],
    ["::1", false],
    ["::", false],
    ["::ffff:8.8.8.8", false],
    ["::ffff:127.0.0.1", false],
    ["64:ff9b::7f00:1", false],
    ["fe80::1", false],
    ["fe80::1%eth0", false],
    ["fc00::1", false],
    ["fd00:ec2::254", false],
    ["2001::1", false],
    ["2001:db8::1", false],
    ["2002:7f00:1::", false],
    ["3fff::1", false],
    ["localhost", false],
  ])("%s is of the public Internet: %s", (address, expected) => {
    expect(isPublic(address)).toBe(expected);
  });

  it.each([
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://169.254.169.254/latest",
  ])("%s is refused", async (url) => {
    await expect(findTarget(url, direct)).rejects.toThrow("not of the public Internet");
  });

  // Guarantee webhooks/addresses
  it("is refused if one of several is not of the public Internet, and without TLS", async () => {
    const resolve = () => Promise.resolve(["93.184.216.34", "10.0.0.1"]);
    await expect(findTarget("https://erp.example.com/", { ...direct, resolve })).rejects.toThrow(
      "not of the public Internet",
    );
    await expect(findTarget("http://erp.example.com/", direct)).rejects.toThrow("https://");
  });

  it("of this machine is allowed in a local stack only", () => {
    const settings = (url: string) =>
      new Map([
        ["STORE_WEBHOOK_LOCAL_CA", "PEM"],
        ["SUPABASE_URL", url],
      ]);
    expect(readEgress(settings("http://127.0.0.1:54321")).localAuthority).toBe("PEM");
    expect(() => readEgress(settings("https://x.supabase.co"))).toThrow("STORE_WEBHOOK_LOCAL_CA");
  });
});

skipFor(describe, lacksOpenssl)("a request", { concurrent: false }, () => {
  let receiver: WebhookReceiver;
  const egress = (more: Partial<Egress> = {}): Egress => ({ ...direct, localAuthority: receiver.authority, ...more });
  const send = (more: Partial<Egress> = {}, url = receiver.url) =>
    post(`${url}/hook?a=1`, { "webhook-id": "1" }, '{"name":"中"}', egress(more));

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver?.stop());

  it("carries headers and body as they are", async () => {
    receiver.answer = (_, response) => response.end("taken\0");
    expect(await send()).toEqual({ status: 200, text: "taken\ufffd" });
    expect(receiver.received.at(-1)).toMatchObject({
      path: "/hook?a=1",
      body: '{"name":"中"}',
      headers: { "webhook-id": "1", "content-type": "application/json" },
    });
  });

  // Guarantee webhooks/addresses: The worker connects only to addresses of the public Internet, also if the name
  // resolves to another one later
  // By: the checked address is the one that is connected to, functions/worker/webhooks/target.ts (decision 0141)
  it("goes to the address that was checked, whatever the name resolves to a moment later", async () => {
    const asked: string[] = [];
    const resolve = (hostname: string) => {
      asked.push(hostname);
      return Promise.resolve([asked.length === 1 ? "127.0.0.1" : "10.0.0.1"]);
    };
    expect((await send({ resolve })).status).toBe(200);
    expect(asked).toEqual(["localhost"]);
  });

  it("is refused by a certificate of another name or another authority", async () => {
    await expect(send({}, receiver.url.replace("localhost", "other.example.com"))).rejects.toThrow("no connection");
    const other = await WebhookReceiver.start();
    await other.stop();
    await expect(post(receiver.url, {}, "{}", { ...egress(), localAuthority: other.authority })).rejects.toThrow(
      "no connection",
    );
  });

  it("reads of an answer of 5 MB only the beginning", async () => {
    receiver.answer = (_, response) => response.end("A".repeat(5 * 1024 * 1024));
    expect(await send()).toEqual({ status: 200, text: "A".repeat(2000) });
  });

  it("reads an answer in chunks, and what comes before it", async () => {
    receiver.answer = (_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.write("one ");
      response.end("two");
    };
    expect(await send()).toEqual({ status: 200, text: "one two" });
  });

  it("does not follow a redirect", async () => {
    const before = receiver.received.length;
    receiver.answer = (_, response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end();
    expect((await send()).status).toBe(302);
    expect(receiver.received).toHaveLength(before + 1);
  });

  it("ends when the receiver never answers, or closes the connection", async () => {
    receiver.answer = () => undefined;
    const soon = { connectMs: 1000, totalMs: 1000 };
    await expect(post(receiver.url, {}, "{}", egress(), soon)).rejects.toThrow(
      /did not answer in time|no connection in time/,
    );
    receiver.answer = (_, response) => response.destroy();
    await expect(send()).rejects.toThrow("closed the connection");
  });

  it("does not connect to an address that was found too late", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as { port: number };
    const resolving = wait(200, ["127.0.0.1"]);
    const limits = { connectMs: 50, totalMs: 1000 };
    await expect(
      post(`https://localhost:${port}`, {}, "{}", egress({ resolve: () => resolving }), limits),
    ).rejects.toThrow("no connection in time");
    await resolving;
    await wait(300);
    expect(connections).toBe(0);
    await new Promise((done) => server.close(done));
  });

  it("goes through a proxy of the settings, to which only the name is told", async () => {
    receiver.answer = (_, response) => response.end();
    const asked: string[] = [];
    const { connect } = await import("node:net");
    const proxy = createServer((socket) => {
      socket.once("data", (head) => {
        asked.push(String(head).split("\r\n")[0]!);
        const onward = connect(Number(new URL(receiver.url).port), "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          socket.pipe(onward).pipe(socket);
        });
        for (const each of [socket, onward]) each.on("error", () => undefined);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = new URL(`http://127.0.0.1:${(proxy.address() as { port: number }).port}`);
    const resolve = () => Promise.reject(new Error("the proxy resolves the name"));
    expect((await send({ proxy: address, resolve })).status).toBe(200);
    expect(asked).toEqual([`CONNECT ${new URL(receiver.url).host} HTTP/1.1`]);
    await new Promise((done) => proxy.close(done));
  });
});
