import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/ground/ports.ts";
import { openMail } from "../../functions/worker/mail.ts";
import { isComplete, readAnswer } from "../../functions/worker/webhooks/answer.ts";
import { post } from "../../functions/worker/webhooks/post.ts";
import { type Account, call, expectProblem, signUpAdmin } from "../api/client.ts";
import { FakeMailServer } from "../support/fake_mail_server.ts";
import { skipFor, stack } from "../support/index.ts";
import { headerOf } from "../support/mail_store.ts";
import { documents } from "../../scripts/testing/openapi.ts";
import { lacksOpenssl, WebhookReceiver } from "../support/webhook_receiver.ts";

// What people reported of mail, the Model Context Protocol, generated clients and webhooks. Each case names its report.

describe("mail", { concurrent: false }, () => {
  let server: FakeMailServer;
  const send = (message: { to?: string; subject?: string; text?: string } = {}) =>
    openMail(new Map(Object.entries(server.settings())))!.send({
      id: "message-1",
      to: "lin@example.com",
      subject: "Order shipped",
      text: "On its way.",
      ...message,
    });
  /** The error of a message, which is sent to a server that answers so. */
  const errorOf = (message = {}) =>
    send(message).then(
      () => undefined,
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    );

  beforeEach(async () => {
    server = new FakeMailServer(await freePort());
  });
  afterEach(() => server.stop());

  // mohamedboukari/bunmail#68, postalserver/postal#786: a mailbox that does not exist is known at once, and is not
  // tried for hours.
  it.each([
    ["550 No such user here", "550"],
    ["550 5.1.1 The account does not exist", "550 5.1.1"],
    ["550 5.1.10 The domain takes no mail", "550 5.1.10"],
    ["556 The domain takes no mail", "556"],
    ["551 The user is not local", "551"],
    ["553 5.1.3 Bad syntax of the address", "553 5.1.3"],
    ["550 5.0.0 User unknown", "550 5.0.0"],
    ["550 5.2.1 The mailbox is switched off", "550 5.2.1"],
  ])("of a recipient that is answered by %j has no mailbox", async (answer, codes) => {
    server.recipientAnswer = answer;
    await server.start();
    expect(await errorOf()).toBe(`AddressRefused: the mail server answered with ${codes}`);
  });

  // The same reports, the other way round: what is full, too large, refused by a policy or about the sender is no wrong
  // address.
  it.each([
    ["452 4.2.2 The mailbox is full", "452 4.2.2"],
    ["450 4.1.1 The address is not verified yet", "450 4.1.1"],
    ["552 The mailbox is full", "552"],
    ["552 5.2.2 The mailbox is full", "552 5.2.2"],
    ["550 5.2.2 Over quota", "550 5.2.2"],
    ["552 5.3.4 The message is too large", "552 5.3.4"],
    ["550 5.7.1 Refused by policy", "550 5.7.1"],
    ["554 5.7.1 The client host is blocked", "554 5.7.1"],
    ["553 5.7.1 The sender is not owned by the user", "553 5.7.1"],
    ["554 Transaction failed", "554"],
    ["550 5.1.8 The domain of the sender is not found", "550 5.1.8"],
    ["550 5.4.4 No route", "550 5.4.4"],
  ])("of a recipient that is answered by %j is tried again", async (answer, codes) => {
    server.recipientAnswer = answer;
    await server.start();
    expect(await errorOf()).toBe(`Error: the mail server answered with ${codes}`);
  });

  it("to an address that needs SMTPUTF8 is not sent by a server without it, and by one with it", async () => {
    server.takesUtf8 = false;
    await server.start();
    expect(await errorOf({ to: "林@example.com" })).toContain("SMTPUTF8");
    expect(server.taken).toEqual([]);
    // A domain has a form in ASCII.
    await send({ to: "lin@例子.cn" });
    expect(headerOf(server.taken[0]!, "To")).toBe("lin@xn--fsqu00a.cn");
    await server.stop();
    server.takesUtf8 = true;
    await server.start();
    await send({ to: "林@例子.cn" });
    expect(server.taken).toHaveLength(2);
  });

  // nodemailer/nodemailer#181, zitadel/zitadel#6631: garbled or half-encoded subjects.
  it.each([
    ["200 Chinese characters", "订".repeat(200)],
    ["emoji where a line is folded", `${"a".repeat(57)}👨‍👩‍👧 ${"茶".repeat(20)}`],
  ])("has a subject with %s that every mail program decodes", async (_, subject) => {
    await server.start();
    await send({ subject });
    const [head = ""] = server.taken[0]!.split("\r\n\r\n");
    expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(78);
    expect(subjectOf(head)).toBe(subject);
  });

  // nodemailer/nodemailer#181: what a text contains becomes neither a header nor the end of the message.
  it("has no header and no end that a text brought in", async () => {
    await server.start();
    await send({ subject: "Shipped\r\nBcc: other@example.com\r\n\r\nno text", text: "one\n.\nQUIT\n.." });
    const [head = "", body = ""] = server.taken[0]!.split("\r\n\r\n");
    expect(head).not.toMatch(/^bcc:/im);
    expect(body.trimEnd().split("\r\n")).toEqual(["one", ".", "QUIT", ".."]);
  });
});

/** The subject of a mail, unfolded and decoded (RFC 2047). */
function subjectOf(head: string): string {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(head)![1]!;
  const words = folded.replaceAll(/\r\n[ \t]/g, " ").replaceAll(/(\?=) +(?==\?)/g, "$1");
  const bytes = words.replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, form: string, text: string) =>
    form.toUpperCase() === "B"
      ? Buffer.from(text, "base64").toString("latin1")
      : text
          .replaceAll("_", " ")
          .replaceAll(/=([0-9A-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

describe("the endpoint of the Model Context Protocol", () => {
  let admin: Account;
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const both = "application/json, text/event-stream";
  const send = (headers: Record<string, string>, message: object = list) =>
    call("POST", "/mcp", { token: admin.token, json: message, init: { headers } });

  beforeAll(async () => {
    admin = await signUpAdmin("Asks");
  });

  // modelcontextprotocol/php-sdk#306, modelcontextprotocol/ruby-sdk#346
  it.each(["1900-01-01", "not-a-version", "2026-07-28", ""])(
    "answers 400 to the version %j, and names the header",
    async (version) => {
      const reply = await send({ accept: both, "mcp-protocol-version": version });
      expectProblem(reply, "unsupported_protocol_version");
      expect(reply.body.errors).toMatchObject([
        { in: "header", pointer: "/MCP-Protocol-Version", detail: expect.stringContaining("2025-06-18") as string },
      ]);
    },
  );

  // Effect-TS/effect#7388, modelcontextprotocol/java-sdk#958: the header of an initialize is what the client would like
  // best; its body negotiates.
  it("negotiates in initialize, whatever version its header has", async () => {
    const params = { protocolVersion: "2099-01-01", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const reply = await send(
      { accept: both, "mcp-protocol-version": "2099-01-01" },
      { ...list, method: "initialize", params },
    );
    expect([reply.status, reply.body.result.protocolVersion]).toEqual([200, "2025-11-25"]);
  });

  it.each(["application/json", "text/event-stream", "text/html", "*/*"])(
    "answers 406 to Accept: %s, and names the header",
    async (accept) => {
      const reply = await send({ accept });
      expectProblem(reply, "not_acceptable");
      expect(reply.body.errors).toMatchObject([{ in: "header", pointer: "/Accept" }]);
    },
  );

  // twentyhq/twenty#19496: GET and DELETE of a server without sessions.
  it.each(["GET", "HEAD", "DELETE"])("answers 405 with Allow to %s, with and without a token", async (method) => {
    for (const token of [undefined, admin.token]) {
      const headers = new Headers(token === undefined ? [] : [["authorization", `Bearer ${token}`]]);
      const reply = await fetch(`${stack().functions_url}/mcp`, { method, headers });
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  // punkpeye/mcp-proxy#39
  it("asks for a Bearer token with 401", async () => {
    const reply = await call("POST", "/mcp", { json: list, init: { headers: { accept: both } } });
    expectProblem(reply, "unauthenticated");
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });
});

// astahmer/openapi-zod-client#67: generators of zod schemas chain `.union(…).enum(…)` where a schema has both.
describe("the documents", () => {
  const BESIDE = ["enum", "const", "type", "format", "pattern", "minimum", "maximum"];

  it("have no schema with values or a type beside its alternatives", () => {
    let unions = 0;
    const found: string[] = [];
    const walk = (value: unknown, path: string) => {
      if (typeof value !== "object" || value === null) return;
      if ("anyOf" in value || "oneOf" in value) {
        unions += 1;
        if (BESIDE.some((keyword) => keyword in value)) found.push(path);
      }
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
    };
    walk(documents, "");
    expect(unions).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);

/** What a busy receiver asks for. */
const retryAfterOf = (value: string) =>
  readAnswer(bytes(`HTTP/1.1 429 Too Many Requests\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`))!.retryAfter;

describe("the answer of a receiver", () => {
  const OK = "HTTP/1.1 200 OK\r\n";

  it.each([
    ["a length", `${OK}Content-Length:5\r\n\r\ntaken`],
    ["a length of 0", `${OK}content-length: 0\r\n\r\n`],
    ["chunks", `${OK}Transfer-Encoding: chunked\r\n\r\n5\r\ntaken\r\n0\r\n\r\n`],
    [
      "chunks and a trailer",
      `${OK}Transfer-Encoding: chunked\r\nTrailer: Digest\r\n\r\n5\r\ntaken\r\n0\r\nDigest: x\r\n\r\n`,
    ],
    ["an extension of the last chunk", `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n5\r\ntaken\r\n000;end=1\r\n\r\n`],
    ["no content", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["hints before it", `HTTP/1.1 103 Early Hints\r\n\r\n${OK}Content-Length: 5\r\n\r\ntaken`],
  ])("is complete with %s", (_, text) => {
    expect(isComplete(bytes(text))).toBe(true);
    // Not before its last byte.
    expect(isComplete(bytes(text.slice(0, -1)))).toBe(false);
  });

  it.each([
    ["a chunk that looks like the end", `${OK}Transfer-Encoding: chunked\r\n\r\n9\r\nx\r\n0\r\n\r\n`],
    ["neither length nor chunks", `${OK}\r\ntaken`],
  ])("is not complete with %s", (_, text) => {
    expect(isComplete(bytes(text))).toBe(false);
  });

  // eventrelay/eventrelay#91, svix/svix-webhooks#2203
  it.each([
    ["120", 120],
    [" 0 ", 0],
    ["99999999999999999999", 86_400],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["-5", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
  ])("has Retry-After: %s", (value, seconds) => {
    expect(retryAfterOf(value)).toBe(seconds);
  });

  it("has Retry-After as a time of HTTP", () => {
    const inAnHour = retryAfterOf(new Date(Date.now() + 3_600_000).toUTCString());
    expect(Math.abs(inAnHour! - 3600)).toBeLessThan(600);
  });
});

skipFor(describe, lacksOpenssl)("a receiver that leaves the connection open", { concurrent: false }, () => {
  let receiver: WebhookReceiver;
  const egress = () => ({
    resolve: () => Promise.resolve(["127.0.0.1"]),
    proxy: undefined,
    localAuthority: receiver.authority,
  });
  /** Posts with a limit that a test that passes does not reach, unless it says so. */
  const send = (raw: string, totalMs = 120_000) => {
    receiver.answer = (_, response) => response.socket!.write(raw);
    return post(receiver.url, {}, "{}", egress(), { connectMs: 60_000, totalMs });
  };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver?.stop());

  it("has answered when its chunks have ended, with a trailer, too", async () => {
    const raw = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ntaken\r\n0\r\nDigest: x\r\n\r\n";
    expect(await send(raw)).toMatchObject({ status: 200, text: "taken" });
  });

  it("has answered by its status, if the answer does not end within the time", async () => {
    expect(await send("HTTP/1.1 200 OK\r\n\r\ntaken", 3000)).toMatchObject({ status: 200, text: "taken" });
    await expect(send("HTTP/1.1 200", 3000)).rejects.toThrow("did not answer in time");
  });
});
