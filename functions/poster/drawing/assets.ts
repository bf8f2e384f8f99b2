import { readFile } from "node:fs/promises";

/** Reads a file of functions/poster/assets, which supabase/config.toml deploys with the function. */
export async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(`../assets/${name}`, import.meta.url)));
}
