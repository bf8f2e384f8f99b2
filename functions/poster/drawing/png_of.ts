import { joined, type Pixels } from "../../_shared/pictures/structure.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits for red, green, blue and opacity. */
const RGBA = [8, 6, 0, 0, 0];

const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** Writes a picture as PNG, for the renderer, which knows no WebP. */
export async function pngOf({ data, width, height }: Pixels): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set(RGBA, 8);
  // Each row begins with the number of its filter, of which 0 is none.
  const rows = new Uint8Array(height * (width * 4 + 1));
  for (let y = 0; y < height; y += 1)
    rows.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  const compressed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  const content = new Uint8Array(await new Response(compressed).arrayBuffer());
  return joined([SIGNATURE, chunk("IHDR", header), chunk("IDAT", content), chunk("IEND", new Uint8Array())]);
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const whole = new Uint8Array(content.length + 12);
  const view = new DataView(whole.buffer);
  view.setUint32(0, content.length);
  whole.set(new TextEncoder().encode(type), 4);
  whole.set(content, 8);
  view.setUint32(content.length + 8, checksum(whole.subarray(4, content.length + 8)));
  return whole;
}

/** The CRC-32 of a chunk. */
function checksum(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) remainder = REMAINDERS[(remainder ^ byte) & 0xff]! ^ (remainder >>> 8);
  return ~remainder >>> 0;
}
