import { z } from "@hono/zod-openapi";
import { fromBase64 } from "../ground/base64.ts";
import type { Environment } from "../ground/env.ts";
import { hex } from "../ground/hex.ts";
import { Problem } from "../responses/problem.ts";
import { areEqual } from "../access/shared_secret.ts";
import { readWechatApp } from "./api.ts";

/** The messages that WeChat sends to a mini program (docs/wechat_checks.md). */
export interface MessagePush {
  /** Answers the request by which WeChat finds out whether the address is ours. @throws Problem unless it is signed */
  confirm(query: Record<string, string>): Promise<string>;
  /** The content of a message. @throws Problem unless it is signed, encrypted with our key, and for our mini program */
  read(query: Record<string, string>, body: Uint8Array): Promise<unknown>;
}

const NAMES = ["STORE_WECHAT_MINI_PUSH_TOKEN", "STORE_WECHAT_MINI_PUSH_KEY"] as const;
/** WeChat fills up a message to blocks of this size. */
const BLOCK = 32;

const envelope = z.object({ Encrypt: z.string() });

/**
 * Reads the settings of the message push.
 * @returns undefined if it is not configured.
 * @throws Error if a setting is missing or wrong
 */
export function openMessagePush(env: Environment): MessagePush | undefined {
  const program = readWechatApp(env, "MINI");
  const [token, key] = NAMES.map((name) => env.get(name));
  if (!program || (!token && !key)) return undefined;
  if (!token || !key || !/^[A-Za-z0-9]{43}$/.test(key))
    throw new Error(`Set both of ${NAMES.join(", ")}, the latter with 43 characters, or none of them.`);

  /** @param encrypted what WeChat has signed with the time, if it is a message */
  async function verify(
    signature: string | undefined,
    { timestamp = "", nonce = "" }: Record<string, string>,
    encrypted: string[] = [],
  ) {
    const expected = await sha1([token!, timestamp, nonce, ...encrypted].sort().join(""));
    if (!(await areEqual(signature ?? "", expected))) throw new Problem("signature_invalid");
  }

  return {
    async confirm(query) {
      await verify(query.signature, query);
      return query.echostr ?? "";
    },
    async read(query, body) {
      const { Encrypt: encrypted } = parse(envelope, body);
      // Not `signature`, which is over the time only: whoever has seen one could send any message with it.
      await verify(query.msg_signature, query, [encrypted]);
      const { message, appid } = await decrypt(encrypted, key).catch((cause: unknown) =>
        Promise.reject(new Problem("signature_invalid", { cause })),
      );
      if (appid !== program.appid) throw new Problem("signature_invalid");
      return parse(z.unknown(), message);
    },
  };
}

function parse<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new Problem("malformed_json", { cause });
  }
}

/** AES-256-CBC of 16 random bytes, the length of the message, the message and the app id. */
async function decrypt(encrypted: string, encodedKey: string): Promise<{ message: Uint8Array; appid: string }> {
  const bytes = fromBase64(encrypted);
  const rawKey = fromBase64(`${encodedKey}=`);
  const key = await crypto.subtle.importKey("raw", rawKey, "AES-CBC", false, ["encrypt", "decrypt"]);
  // WebCrypto takes off a filling of up to 16 bytes, and WeChat's has up to 32. So one of WebCrypto's own, of which
  // nothing is left, is put behind it.
  const filling = await crypto.subtle.encrypt({ name: "AES-CBC", iv: bytes.slice(-16) }, key, new Uint8Array());
  const data = new Uint8Array([...bytes, ...new Uint8Array(filling)]);
  const text = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv: rawKey.slice(0, 16) }, key, data));
  const end = text.length - (text.at(-1) ?? 0);
  const length = new DataView(text.buffer).getUint32(16);
  if (text.length - end > BLOCK || 20 + length > end) throw new Error("The message has another form.");
  return { message: text.subarray(20, 20 + length), appid: new TextDecoder().decode(text.subarray(20 + length, end)) };
}

async function sha1(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text))));
}
