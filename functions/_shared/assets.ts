import { fromBase64 } from "./base64.ts";

/** Returns the content of an imported binary file. The bundle contains it as gzip in base64. */
export async function readAsset(imported: Promise<{ default: string }>): Promise<Uint8Array<ArrayBuffer>> {
  const { default: text } = await imported;
  const content = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(content).arrayBuffer());
}
