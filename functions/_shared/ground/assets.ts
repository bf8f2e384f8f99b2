import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { fromBase64 } from "./base64.ts";

/** Returns the content of an imported binary file. The bundle contains it as Brotli in base64. */
export async function readAsset(imported: Promise<{ default: string }>): Promise<Uint8Array<ArrayBuffer>> {
  const { default: text } = await imported;
  return new Uint8Array(await promisify(brotliDecompress)(fromBase64(text)));
}
