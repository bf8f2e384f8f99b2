import { readFile } from "node:fs/promises";

/** Exists only in Deno. It is the documented way to read files that are deployed with a function. */
interface DenoFiles {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** Reads a file in functions/poster/assets. supabase/config.toml deploys them with the function. */
export async function readAsset(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = new URL(`../assets/${name}`, import.meta.url);
  const { Deno } = globalThis as { Deno?: DenoFiles };
  return Deno ? Deno.readFile(path) : new Uint8Array(await readFile(path));
}
