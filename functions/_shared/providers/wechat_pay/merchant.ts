import { z } from "@hono/zod-openapi";
import type { Environment } from "../../ground/env.ts";
import { bytesOf } from "../signed_message.ts";

/** The merchant's settings for WeChat Pay. */
export interface Merchant {
  mchid: string;
  /**
   * The mini program and other apps that take payments for this merchant. Payments are started in the payer's app, or
   * else in the first.
   */
  appids: string[];
  /** The APIv3 key (32 bytes), which encrypts the content of notifications. */
  apiV3Key: Uint8Array<ArrayBuffer>;
  /**
   * Public keys that verify notifications and responses, by serial number: WeChat Pay's own, or those of platform
   * certificates.
   */
  publicKeys: Record<string, Uint8Array<ArrayBuffer>>;
}

/** A merchant that can also send requests. */
export interface RequestingMerchant extends Merchant {
  /** The serial number of the merchant's certificate. */
  serial: string;
  /** The private key of the merchant's certificate (PKCS#8). */
  privateKey: Uint8Array<ArrayBuffer>;
  apiUrl: string;
  /** Where WeChat Pay sends notifications. */
  notifyUrl: string;
}

const PREFIX = "STORE_WECHAT_PAY_";

/** The id of WeChat Pay's own public key. @returns undefined if the store only knows platform certificates */
export function publicKeyId(publicKeys: Merchant["publicKeys"]): string | undefined {
  return Object.keys(publicKeys).find((serial) => serial.startsWith("PUB_KEY_ID_"));
}

/**
 * Reads the settings that notifications need.
 * @returns undefined if none is set.
 * @throws Error that names the missing or invalid setting
 */
export function readMerchant(env: Environment): Merchant | undefined {
  const settings = readTogether(env, ["MCHID", "APPIDS", "API_V3_KEY", "PUBLIC_KEYS"]);
  if (!settings) return undefined;
  const [mchid, appids, apiV3Key, publicKeys] = settings as [string, string, string, string];
  const key = new TextEncoder().encode(apiV3Key);
  if (key.length !== 32) throw new Error(`${PREFIX}API_V3_KEY must have 32 bytes.`);
  return {
    mchid,
    appids: appids.split(",").map((appid) => appid.trim()),
    apiV3Key: key,
    publicKeys: readPublicKeys(publicKeys),
  };
}

/**
 * Reads the settings that requests need, too.
 * @returns undefined if they are not set.
 * @throws Error that names the missing or invalid setting
 */
export function readRequestingMerchant(env: Environment): RequestingMerchant | undefined {
  const settings = readTogether(env, ["SERIAL", "PRIVATE_KEY"]);
  if (!settings) return undefined;
  const merchant = readMerchant(env);
  if (!merchant) throw new Error(`${PREFIX}SERIAL and ${PREFIX}PRIVATE_KEY need the other settings of WeChat Pay.`);
  const [serial, pem] = settings as [string, string];
  const privateKey = derIn(pem, "PRIVATE KEY");
  if (!privateKey)
    throw new Error(
      `${PREFIX}PRIVATE_KEY must be the private key of the merchant's certificate in PEM (PKCS#8): the content of apiclient_key.pem.`,
    );
  const functionsUrl = env.get("STORE_FUNCTIONS_URL") || `${env.get("SUPABASE_URL")}/functions/v1`;
  return {
    ...merchant,
    serial,
    privateKey,
    apiUrl: env.get(`${PREFIX}API_URL`) || "https://api.mch.weixin.qq.com",
    notifyUrl: `${functionsUrl}/api/pay/notify/wechat`,
  };
}

/** Reads settings that are set together. @returns undefined if none is set @throws Error if only some are set */
function readTogether(env: Environment, names: string[]): string[] | undefined {
  const values = names.map((name) => env.get(PREFIX + name) ?? "");
  if (values.every((value) => value === "")) return undefined;
  if (values.includes(""))
    throw new Error(`Set all of ${names.map((name) => PREFIX + name).join(", ")}, or none of them.`);
  return values;
}

function readPublicKeys(text: string): Merchant["publicKeys"] {
  try {
    const pems = z.record(z.string().min(1), z.string()).parse(JSON.parse(text));
    return Object.fromEntries(
      Object.entries(pems).map(([serial, pem]) => {
        const der = derIn(pem, "PUBLIC KEY");
        if (!der) throw new Error("not a public key in PEM");
        return [serial, der];
      }),
    );
  } catch (error) {
    throw new Error(`${PREFIX}PUBLIC_KEYS must be a JSON object that maps serial numbers to public keys in PEM.`, {
      cause: error,
    });
  }
}

/** The content of a PEM block. Line breaks may be written as "\n", as in files of environment variables. */
function derIn(pem: string, label: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = new RegExp(`-----BEGIN ${label}-----([\\sA-Za-z0-9+/=]+)-----END ${label}-----`).exec(
    pem.replaceAll("\\n", "\n"),
  )?.[1];
  return base64 === undefined ? undefined : bytesOf(base64.replaceAll(/\s/g, ""));
}
