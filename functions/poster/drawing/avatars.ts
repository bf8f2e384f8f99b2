import type { Environment } from "../../_shared/env.ts";
import { pictureType } from "../../_shared/picture.ts";
import { readBytes } from "../../_shared/read_bytes.ts";

const WECHAT_AVATARS = "https://thirdwx.qlogo.cn,https://wx.qlogo.cn";
const DEADLINE_MS = 2000;
const MOST_BYTES = 200 * 1024;

/**
 * Makes a way to fetch avatars: from the origins that are listed and from nowhere else, because members name the address and this
 * runs where they cannot reach. What cannot be had is left out.
 */
export function createAvatars(env: Environment): (address: string) => Promise<Uint8Array | undefined> {
  const origins = (env.get("STORE_AVATAR_ORIGINS") || WECHAT_AVATARS).split(",").map((origin) => origin.trim());

  return async (address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !origins.includes(url.origin)) return undefined;
    try {
      const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(DEADLINE_MS) });
      const bytes = await readBytes(response, MOST_BYTES);
      return response.ok && pictureType(bytes) ? bytes : undefined;
    } catch {
      return undefined;
    }
  };
}
