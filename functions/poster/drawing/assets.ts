import { readFile } from "node:fs/promises";

/** Present in Deno, and the documented way to the files that are deployed with a function. */
interface DenoFiles {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reads a file of functions/poster/assets, which supabase/config.toml deploys with the function. */
export async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = new URL(`../assets/${name}`, import.meta.url);
  const { Deno } = globalThis as { Deno?: DenoFiles };
  return Deno ? Deno.readFile(path) : new Uint8Array(await readFile(path));
}
