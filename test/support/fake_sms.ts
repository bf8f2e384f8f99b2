import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback, stopServer } from "./loopback_server.ts";

const KEY = { id: "LTAI-of-the-test", secret: "secret-of-the-test" };
const SIGN_NAME = "茶铺";
const TEMPLATE = "SMS_1";

/**
 * How the provider behaves: as it should, with a code of an error, without an answer, with an answer that is none, or
 * with the answer after its message.
 */
export type SmsMood = "well" | "silent" | "html" | { code: string; status?: number };

/**
 * The text messages of Alibaba Cloud, as far as the store uses them. It verifies the signature of each request, and
 * answers as its documents say.
 */
export class FakeSms {
  mood: SmsMood = "well";
  /** What phones have received, oldest first. */
  readonly sent: { phone: string; code: string }[] = [];
  private readonly server = createServer((request, response) => this.serve(request, response));

  /** @returns the settings of the edge function */
  async start(): Promise<Record<string, string>> {
    return {
      STORE_SMS_API_URL: await listenOnLoopback(this.server),
      STORE_SMS_ALIYUN_KEY_ID: KEY.id,
      STORE_SMS_ALIYUN_KEY_SECRET: KEY.secret,
      STORE_SMS_SIGN_NAME: SIGN_NAME,
      STORE_SMS_TEMPLATE_CODE: TEMPLATE,
    };
  }

  stop(): Promise<void> {
    return stopServer(this.server);
  }

  /** The last code that a phone has received. */
  codeOf(phone: string): string {
    return this.sent.findLast((each) => each.phone === phone)!.code;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const answer = (status: number, code: string) =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ Code: code, Message: code, RequestId: "R" }));
    const { mood } = this;
    if (mood === "silent") return;
    if (mood === "html")
      return void response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
    if (!isSigned(request)) return answer(400, "SignatureDoesNotMatch");
    const query = new URL(request.url!, "http://sms").searchParams;
    if (query.get("SignName") !== SIGN_NAME || query.get("TemplateCode") !== TEMPLATE)
      return answer(200, "isv.SMS_TEMPLATE_ILLEGAL");
    if (mood !== "well") return answer(mood.status ?? 200, mood.code);
    const phone = query.get("PhoneNumbers")!;
    if (!/^1\d{10}$/.test(phone)) return answer(200, "isv.MOBILE_NUMBER_ILLEGAL");
    this.sent.push({ phone, code: (JSON.parse(query.get("TemplateParam")!) as { code: string }).code });
    answer(200, "OK");
  }
}

/** Whether a request without a body has the signature ACS3-HMAC-SHA256 of the key, made within the last minutes. */
function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const [, id, names, signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const date = Date.parse(headers["x-acs-date"] as string);
  if (id !== KEY.id || !names || Math.abs(Date.now() - date) > 900_000 || headers["x-acs-action"] !== "SendSms")
    return false;
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const query = url!
    .slice(url!.indexOf("?") + 1)
    .split("&")
    .sort()
    .join("&");
  const lines = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, "/", query, lines.join(""), names, sha256("")].join("\n");
  return (
    createHmac("sha256", KEY.secret)
      .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
      .digest("hex") === signature
  );
}
