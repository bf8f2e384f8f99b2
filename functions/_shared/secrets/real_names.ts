import { z } from "@hono/zod-openapi";
import type { Environment } from "../ground/env.ts";
import { fromHex, hex } from "../ground/hex.ts";
import { DOCUMENTS, maskedName, maskedNumber, normalRealName, type RealName } from "./identity_document.ts";
import { Problem } from "../responses/problem.ts";
import { readSecretKey } from "../ground/secret_key.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A real name as the database keeps it. Bytes are hexadecimal digits. */
interface EncryptedName {
  ciphertext: string;
  key_id: string;
  /** The blind index: the same for everybody who gives the same document. */
  person: string;
  index_key_id: string;
}

/** What decrypts a real name. */
export const storedName = z.object({ uid: z.int(), ciphertext: z.string(), key_id: z.string() });

/** What encrypts and decrypts real names. */
export interface RealNames {
  /** The ids of the keys that encrypt now. */
  keys: () => Promise<Pick<EncryptedName, "key_id" | "index_key_id">>;
  encrypt: (uid: number, realName: RealName) => Promise<EncryptedName>;
  /** @throws Problem if the key is not configured, or the ciphertext is not of this member */
  decrypt: (stored: z.infer<typeof storedName>) => Promise<RealName>;
}

const NONCE_BYTES = 12;
const KEY_NEEDED = "Set STORE_REAL_NAME_FORMER_KEY to the key %s, with which this real name was encrypted.";
const content = z.object({ name: z.string(), document: z.enum(DOCUMENTS), number: z.string() });

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);
const hexOf = (bytes: ArrayBuffer): string => hex(new Uint8Array(bytes));

/** The name of a key is a part of its hash, so a key that has been mistaken for another one is noticed. */
const idOf = async (key: Bytes): Promise<string> => hexOf(await crypto.subtle.digest("SHA-256", key)).slice(0, 16);
const openKey = (key: Bytes, usage: "encrypt" | "decrypt") =>
  crypto.subtle.importKey("raw", key, "AES-GCM", false, [usage]);
const algorithm = (nonce: Bytes, uid: number) => ({ name: "AES-GCM", iv: nonce, additionalData: bytesOf(String(uid)) });

/**
 * What encrypts real names; undefined if the store has no key.
 * @throws Error that names the variables if only a part is configured, or one key for both
 */
export function readRealNames(env: Environment): RealNames | undefined {
  const key = readSecretKey(env, "STORE_REAL_NAME_KEY");
  const indexKey = readSecretKey(env, "STORE_REAL_NAME_INDEX_KEY");
  const formerKey = readSecretKey(env, "STORE_REAL_NAME_FORMER_KEY");
  if (!key && !indexKey) return undefined;
  if (!key || !indexKey) throw new Error("Set both STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY.");
  if (hex(key) === hex(indexKey))
    throw new Error("STORE_REAL_NAME_KEY and STORE_REAL_NAME_INDEX_KEY must be two different keys.");

  const keys = async () => ({ key_id: await idOf(key), index_key_id: await idOf(indexKey) });
  return {
    keys,
    encrypt: async (uid, { name, document, number }) => {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const plain = bytesOf(JSON.stringify({ name, document, number }));
      const encrypted = await crypto.subtle.encrypt(algorithm(nonce, uid), await openKey(key, "encrypt"), plain);
      const index = await crypto.subtle.importKey("raw", indexKey, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return {
        ...(await keys()),
        ciphertext: hex(nonce) + hexOf(encrypted),
        person: hexOf(await crypto.subtle.sign("HMAC", index, bytesOf(`${document}|${number}`))),
      };
    },
    decrypt: async ({ uid, ciphertext, key_id }) => {
      let used: Bytes | undefined;
      for (const each of [key, formerKey]) if (each && (await idOf(each)) === key_id) used = each;
      if (!used) throw new Problem("real_name_key_missing", { detail: KEY_NEEDED.replace("%s", key_id) });
      const bytes = fromHex(ciphertext);
      const nonce = bytes.slice(0, NONCE_BYTES);
      const plain = await crypto.subtle
        .decrypt(algorithm(nonce, uid), await openKey(used, "decrypt"), bytes.slice(NONCE_BYTES))
        .catch((cause: unknown) => {
          throw new Problem("real_name_altered", { cause });
        });
      return content.parse(JSON.parse(new TextDecoder().decode(plain)));
    },
  };
}

/** The arguments with which the database stores the real name of a member. */
export async function argumentsOf(realNames: RealNames, uid: number, given: RealName) {
  const realName = normalRealName(given);
  const { ciphertext, key_id, person, index_key_id } = await realNames.encrypt(uid, realName);
  return {
    p_document: realName.document,
    p_name_mask: maskedName(realName.name),
    p_number_mask: maskedNumber(realName.number),
    p_ciphertext: ciphertext,
    p_key_id: key_id,
    p_person: person,
    p_index_key_id: index_key_id,
  };
}
