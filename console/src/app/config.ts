/** Where the store is. Read when the page is loaded, so that one build serves every place. */
export interface Config {
  /** Absolute, without a slash at the end. */
  supabaseUrl: string;
  publishableKey: string;
}

/** The server of the page did not answer at all. */
export class ConfigUnreachable extends Error {}

/** Reads `config.json` beside the page. An address in it may be relative to the page. @throws Error that says what is wrong with it, or ConfigUnreachable */
export async function loadConfig(): Promise<Config> {
  const reply = await fetch("config.json", { cache: "no-store" }).catch((cause: unknown) => {
    throw new ConfigUnreachable("config.json", { cause });
  });
  if (!reply.ok) throw new Error(`config.json: HTTP ${reply.status}`);
  const { supabase_url, publishable_key } = (await reply.json()) as Record<string, unknown>;
  if (typeof supabase_url !== "string" || typeof publishable_key !== "string" || supabase_url.includes("<")) {
    throw new Error("config.json: supabase_url, publishable_key");
  }
  return { supabaseUrl: new URL(supabase_url, location.href).href.replace(/\/$/, ""), publishableKey: publishable_key };
}
