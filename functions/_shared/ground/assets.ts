import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { fromBase64 } from "./base64.ts";

/**
 * A binary file: where it is, written as `new URL("<path>", import.meta.url)`. The bundler replaces this expression by
 * the content, as Brotli in base64 (scripts/generate/function_bundles.ts).
 */
export type Asset = URL | Promise<{ default: string }>;

/** `supabase functions deploy` uploads no static files, and before `npm ci` there are no packages. */
function explain(error: unknown): never {
  throw new Error("A file of this function is missing. Locally, run `npm ci`; deploy by `npm run functions:deploy`.", {
    cause: error,
  });
}

/** Returns the content of a binary file. */
export async function readAsset(asset: Asset): Promise<Uint8Array<ArrayBuffer>> {
  if (asset instanceof URL) return new Uint8Array(await readFile(asset).catch(explain));
  const { default: text } = await asset;
  return new Uint8Array(await promisify(brotliDecompress)(fromBase64(text)));
}
