import { readFileSync } from "node:fs";
import { join } from "node:path";
import encodeJpeg, { init as initJpeg } from "@jsquash/jpeg/encode.js";
import encodeWebp, { init as initWebp } from "@jsquash/webp/encode.js";
import { PNG } from "pngjs";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type EdgeFunction, longFormOnly, serveEdgeFunction, skipFor, stack } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { type Account, call, signUpAdmin } from "./client.ts";

const MOST_SECONDS = 1.5;
/** The clock of `/proc` ticks a hundred times a second. */
const TICKS = 100;

const codec = (name: string) => WebAssembly.compile(readFileSync(join(projectRoot, "node_modules/@jsquash", name)));

/** A picture as coarse as a photograph or as plain as a drawing. A PNG of a photograph has more than 5 MB. */
function draw(isCoarse: boolean, width: number, height: number): ImageData {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      data[at] = (x * 255) / width;
      data[at + 1] = (y * 255) / height;
      data[at + 2] = isCoarse ? ((x * y) >> 8) & 255 : 0;
      data[at + 3] = 255;
    }
  return { data, width, height } as ImageData;
}

async function jpeg(picture: ImageData, progressive = false): Promise<Uint8Array> {
  await initJpeg(await codec("jpeg/codec/enc/mozjpeg_enc.wasm"));
  return new Uint8Array(await encodeJpeg(picture, { quality: 82, progressive }));
}

async function webp(picture: ImageData, lossless = 0): Promise<Uint8Array> {
  await initWebp(await codec("webp/codec/enc/webp_enc_simd.wasm"));
  return new Uint8Array(await encodeWebp(picture, { quality: 60, method: 0, lossless }));
}

function png({ data, width, height }: ImageData): Uint8Array {
  const file = new PNG({ width, height });
  file.data = Buffer.from(data);
  return PNG.sync.write(file);
}

interface Large {
  write: () => Uint8Array | Promise<Uint8Array>;
  /** How much memory the function may have while it draws the picture, in megabytes. A hosted one has 256. */
  most: number;
}

/** The largest that are accepted, and one as a camera takes it. */
const files: Record<string, Large> = {
  "JPEG of 4,608 x 3,456 pixels": { write: () => jpeg(draw(true, 4608, 3456)), most: 200 },
  "JPEG of 4,000 x 4,000 pixels": { write: () => jpeg(draw(true, 4000, 4000)), most: 220 },
  "progressive JPEG of 2,828 x 2,828 pixels": { write: () => jpeg(draw(true, 2828, 2828), true), most: 256 },
  "PNG of 4,000 x 4,000 pixels": { write: () => png(draw(false, 4000, 4000)), most: 200 },
  "WebP of 4,000 x 4,000 pixels": { write: () => webp(draw(true, 4000, 4000)), most: 256 },
  "lossless WebP of 2,828 x 2,828 pixels": { write: () => webp(draw(false, 2828, 2828), 1), most: 256 },
};

/** The most memory that a process has had, its program included. */
const megabytesOf = (pid: number) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+)/)?.[1]) / 1024;

function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

describe("a large picture", () => {
  let admin: Account;
  let served: EdgeFunction | undefined;
  beforeAll(async () => {
    admin = await signUpAdmin("Photographer");
  });
  afterEach(() => served?.stop());

  for (const [kind, { write, most }] of Object.entries(files))
    skipFor(it, longFormOnly)(`is drawn anew within ${most} MB and ${MOST_SECONDS} s of processor time, if it is a ${kind}`, async () => {
      const file = await write();
      expect(file.length).toBeLessThanOrEqual(5_000_000);
      // An instance of its own, because one keeps the memory of its decoders.
      const { base, pid } = (served = await serveEdgeFunction("picture", stack().database_url, {}));
      const upload = async (body: Uint8Array) =>
        (await call("POST", "/picture/store", { base, token: admin.token, init: { body: new Uint8Array(body) } })).body;
      await upload(plainPng(1, 2, 3, 20));
      const seconds = secondsOf(pid);
      expect(await upload(file)).toMatchObject({ width: 2048 });
      expect(megabytesOf(pid)).toBeLessThan(most);
      expect(secondsOf(pid) - seconds).toBeLessThan(MOST_SECONDS);
    });
});
