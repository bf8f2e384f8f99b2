import type { Environment } from "../_shared/ground/env.ts";
import { hex } from "../_shared/ground/hex.ts";
import { readBytes } from "../_shared/ground/read_bytes.ts";
import { type Sms, SmsRefused } from "./sms_provider.ts";

const VARIABLES = [
  "STORE_SMS_ALIYUN_KEY_ID",
  "STORE_SMS_ALIYUN_KEY_SECRET",
  "STORE_SMS_SIGN_NAME",
  "STORE_SMS_TEMPLATE_CODE",
] as const;
const ALGORITHM = "ACS3-HMAC-SHA256";
const MAX_BYTES = 16 * 1024;

/** Codes of the provider that the person who waits can do something about. */
const REFUSALS: Record<string, SmsRefused["reason"]> = {
  // One a minute, five an hour and ten a day for each number.
  "isv.BUSINESS_LIMIT_CONTROL": "too_often",
  "isv.DAY_LIMIT_CONTROL": "too_often",
  "Throttling.User": "too_often",
  "isv.MOBILE_NUMBER_ILLEGAL": "number_refused",
};

/**
 * The text messages of Alibaba Cloud (SendSms of 2017-05-25), which go to numbers of mainland China. The template has
 * one variable, `code`.
 * @throws Error that names the variables to set, if some are missing
 */
export function createAliyun(env: Environment): Sms | undefined {
  const values = VARIABLES.map((name) => env.get(name) || undefined);
  if (values.every((value) => value === undefined)) return undefined;
  const missing = VARIABLES.filter((_, at) => values[at] === undefined);
  if (missing.length > 0)
    throw new Error(`Set ${missing.join(", ")}, too: sign-in codes by phone need all of ${VARIABLES.join(", ")}.`);
  const [keyId, keySecret, signName, templateCode] = values as [string, string, string, string];
  const url = new URL(env.get("STORE_SMS_API_URL") || "https://dysmsapi.aliyuncs.com");

  return {
    sendCode: async (phone, code, signal) => {
      const number = /^86(1\d{10})$/.exec(phone)?.[1];
      if (number === undefined) throw new SmsRefused("number_refused", "the number is none of mainland China");
      const query = canonicalQuery({
        PhoneNumbers: number,
        SignName: signName,
        TemplateCode: templateCode,
        TemplateParam: JSON.stringify({ code }),
      });
      const headers = await signedHeaders({ host: url.host, query, keyId, keySecret });
      const answer = await request(`${url.origin}/?${query}`, headers, signal);
      if (answer === "OK") return;
      const refusal = REFUSALS[answer];
      if (refusal) throw new SmsRefused(refusal, `the provider answered with ${answer}`);
      throw new Error(`the provider answered with ${answer}`);
    },
  };
}

/** @returns the code of the answer @throws Error without the address, which has the number */
async function request(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, { method: "POST", headers, signal, redirect: "error" });
    const answer = JSON.parse(new TextDecoder().decode(await readBytes(response, MAX_BYTES))) as {
      Code?: unknown;
    } | null;
    return typeof answer?.Code === "string" ? answer.Code.slice(0, 100) : `status ${response.status}`;
  } catch {
    throw new Error(
      signal.aborted
        ? "the provider did not answer in time"
        : "the provider could not be reached, or its answer not be read",
    );
  }
}

const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (fields: Record<string, string>) =>
  Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join("&");

const sha256 = async (text: string) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

/** The headers of a request without a body, and their signature. */
async function signedHeaders({
  host,
  query,
  keyId,
  keySecret,
}: {
  host: string;
  query: string;
  keyId: string;
  keySecret: string;
}) {
  const contentHash = await sha256("");
  const headers: Record<string, string> = {
    host,
    "x-acs-action": "SendSms",
    "x-acs-content-sha256": contentHash,
    "x-acs-date": new Date().toISOString().replace(/\.\d+/, ""),
    "x-acs-signature-nonce": crypto.randomUUID(),
    "x-acs-version": "2017-05-25",
  };
  const names = Object.keys(headers).join(";");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonicalRequest = ["POST", "/", query, lines.join(""), names, contentHash].join("\n");
  const signature = await hmac(keySecret, `${ALGORITHM}\n${await sha256(canonicalRequest)}`);
  const { host: _, ...sent } = headers;
  return { ...sent, authorization: `${ALGORITHM} Credential=${keyId},SignedHeaders=${names},Signature=${signature}` };
}
