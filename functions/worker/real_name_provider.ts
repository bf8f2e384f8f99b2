import { z } from "@hono/zod-openapi";
import type { Environment } from "../_shared/ground/env.ts";
import type { RealName } from "../_shared/secrets/identity_document.ts";
import { isLoopback } from "../_shared/ground/loopback.ts";
import { readBytes } from "../_shared/ground/read_bytes.ts";

const MAX_BYTES = 16 * 1024;
const answer = z.object({ confirmed: z.boolean() });

/** Who knows whether a name and the number of a document belong together. */
interface RealNameProvider {
  /** @throws Error, without the person in its text, if the provider gave no answer */
  confirms: (realName: RealName, signal: AbortSignal) => Promise<boolean>;
}

/**
 * The provider behind the address that the store is given (docs/operations.md, "Real names").
 * @throws Error that names the variable to set, if it is not configured, or would be read on the way
 */
export function openRealNameProvider(env: Environment): RealNameProvider {
  const url = env.get("STORE_REAL_NAME_CHECK_URL");
  const token = env.get("STORE_REAL_NAME_CHECK_TOKEN");
  if (!url || !token)
    throw new Error("no provider checks real names: set STORE_REAL_NAME_CHECK_URL and STORE_REAL_NAME_CHECK_TOKEN");
  if (!url.startsWith("https://") && !isLoopback(url))
    throw new Error("STORE_REAL_NAME_CHECK_URL must begin with https://");

  return {
    confirms: async (realName, signal) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(url, {
        method: "POST",
        headers,
        body: JSON.stringify(realName),
        signal,
        redirect: "error",
      }).catch(() => {
        throw new Error(signal.aborted ? "the provider did not answer in time" : "the provider could not be reached");
      });
      if (!response.ok) throw new Error(`the provider answered with status ${response.status}`);
      try {
        return answer.parse(JSON.parse(new TextDecoder().decode(await readBytes(response, MAX_BYTES)))).confirmed;
      } catch {
        throw new Error("the answer of the provider cannot be read");
      }
    },
  };
}
