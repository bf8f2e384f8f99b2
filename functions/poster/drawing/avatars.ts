import type { Environment } from "../../_shared/env.ts";
import { pictureType } from "../../_shared/picture.ts";
import { readBytes } from "../../_shared/read_bytes.ts";

const WECHAT_AVATARS = "https://thirdwx.qlogo.cn,https://wx.qlogo.cn";
const DEADLINE_MS = 2000;
const MAX_BYTES = 200 * 1024;

/**
 * Creates a function that fetches avatars. It fetches only from the listed origins: members choose the address, and the request is sent
 * from a network that they cannot reach. It returns undefined for an avatar that cannot be fetched.
 */
export function createAvatars(env: Environment): (address: string) => Promise<Uint8Array | undefined> {
  const origins = (env.get("STORE_AVATAR_ORIGINS") || WECHAT_AVATARS).split(",").map((origin) => origin.trim());

  return async (address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !origins.includes(url.origin)) return undefined;
    try {
      const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(DEADLINE_MS) });
      const bytes = await readBytes(response, MAX_BYTES);
      return response.ok && pictureType(bytes) ? bytes : undefined;
    } catch {
      return undefined;
    }
  };
}
