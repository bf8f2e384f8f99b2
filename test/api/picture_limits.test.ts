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

const SIDE = 4000;
const MOST_KB = 200 * 1024;
const MOST_SECONDS = 1.5;
/** The clock of `/proc` ticks a hundred times a second. */
const TICKS = 100;

const codec = (name: string) => WebAssembly.compile(readFileSync(join(projectRoot, "node_modules/@jsquash", name)));

/** A picture of 16 megapixels, as coarse as a photograph or as plain as a drawing. A PNG of a photograph has more than 5 MB. */
function draw(isCoarse: boolean): ImageData {
  const data = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let y = 0, at = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1, at += 4) {
      data[at] = (x * 255) / SIDE;
      data[at + 1] = (y * 255) / SIDE;
      data[at + 2] = isCoarse ? ((x * y) >> 8) & 255 : 0;
      data[at + 3] = 255;
    }
  return { data, width: SIDE, height: SIDE } as ImageData;
}

const files: Record<string, () => Promise<Uint8Array>> = {
  JPEG: async () => {
    await initJpeg(await codec("jpeg/codec/enc/mozjpeg_enc.wasm"));
    return new Uint8Array(await encodeJpeg(draw(true), { quality: 82, progressive: false }));
  },
  WebP: async () => {
    await initWebp(await codec("webp/codec/enc/webp_enc_simd.wasm"));
    return new Uint8Array(await encodeWebp(draw(true), { quality: 60, method: 0 }));
  },
  PNG: () => {
    const png = new PNG({ width: SIDE, height: SIDE });
    png.data = Buffer.from(draw(false).data);
    return Promise.resolve(PNG.sync.write(png));
  },
};

const lineOf = (pid: number, field: string) =>
  Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${field}:\\s+(\\d+)`))?.[1]);

function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

describe("a picture of 16 megapixels", () => {
  let admin: Account;
  let served: EdgeFunction | undefined;
  beforeAll(async () => {
    admin = await signUpAdmin("Photographer");
  });
  afterEach(() => served?.stop());

  for (const [kind, write] of Object.entries(files))
    skipFor(it, longFormOnly)(`is decoded and drawn anew within 200 MB and 1.5 s of processor time, if it is a ${kind}`, async () => {
      const file = await write();
      expect(file.length).toBeLessThanOrEqual(5_000_000);
      // An instance of its own, because one keeps the memory of its decoders.
      const { base, pid } = (served = await serveEdgeFunction("picture", stack().database_url, {}));
      const upload = async (body: Uint8Array) =>
        (await call("POST", "/picture/store", { base, token: admin.token, init: { body: new Uint8Array(body) } })).body;
      await upload(plainPng(1, 2, 3, 20));
      const [kilobytes, seconds] = [lineOf(pid, "VmRSS"), secondsOf(pid)];
      expect(await upload(file)).toMatchObject({ width: 2048, height: 2048 });
      expect(lineOf(pid, "VmHWM") - kilobytes).toBeLessThan(MOST_KB);
      expect(secondsOf(pid) - seconds).toBeLessThan(MOST_SECONDS);
    });
});
