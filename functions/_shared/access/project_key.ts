import type { Environment } from "../ground/env.ts";

/**
 * The project's secret key. Supabase sets the variable for every edge function.
 * @throws Error if the variable is no JSON object
 */
export function projectSecretKey(env: Environment): string | undefined {
  try {
    const keys = JSON.parse(env.get("SUPABASE_SECRET_KEYS") || "{}") as Record<string, string>;
    return keys.default ?? Object.values(keys)[0];
  } catch (error) {
    throw new Error("SUPABASE_SECRET_KEYS must be a JSON object of secret keys.", { cause: error });
  }
}
