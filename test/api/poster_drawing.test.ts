import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Poster } from "../../functions/poster/drawing/draw_poster.ts";
import { bundle, bundleOf } from "../../scripts/generate/function_bundles.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { textOf } from "./qr_code.ts";

let drawPoster: (poster: Poster) => Promise<Uint8Array>;
const folder = mkdtempSync(join(tmpdir(), "store-poster-"));
// Only the bundle contains the renderer and the font.
beforeAll(async () => {
  await bundle({ drawing: join(projectRoot, "functions/poster/drawing/draw_poster.ts") }, folder);
  ({ drawPoster } = await import(pathToFileURL(bundleOf("drawing", folder)).href));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SHARE = "http://127.0.0.1:54321/h5";

describe("what is on a poster", () => {
  const draw = async (changes: Partial<Poster>) => {
    const bytes = await drawPoster({
      uid: 10001,
      nickname: "陈静",
      siteName: "绿叶商城",
      shareUrl: `${SHARE}?spread=10001`,
      avatar: undefined,
      code: undefined,
      design: "warm",
      product: undefined,
      ...changes,
    });
    return { bytes: Buffer.from(bytes), png: PNG.sync.read(Buffer.from(bytes)) };
  };
  /** The number of dark pixels where the nickname is drawn. */
  const ink = ({ data, width }: PNG) => {
    let dark = 0;
    for (let at = 325 * width * 4; at < 400 * width * 4; at += 4) if (data[at]! < 100) dark += 1;
    return dark;
  };

  it("is the nickname, in Chinese too", async () => {
    const [short, long] = [await draw({ nickname: "陈" }), await draw({ nickname: "陈静和她的朋友们" })];
    expect(ink(short.png)).toBeGreaterThan(200);
    expect(ink(long.png)).toBeGreaterThan(ink(short.png) * 4);
  });

  it.each([
    ["markup", "</text><script>alert(1)</script>&amp;<!--"],
    ["quotes", "\"'`"],
    ["emoji", "😀👨‍👩‍👧🇨🇳"],
    ["rare characters", "𠮷𪚥龘"],
    ["other scripts", "Привет 한국 ไทย عربي"],
    ["control characters", "a\u0000\u0001\u001b\uffff\u202eb"],
    ["halves of characters", "x\ud800y\udc00"],
    ["spaces only", "   "],
    ["a long name", "长".repeat(64)],
  ])("may be a nickname of %s", async (_kind, nickname) => {
    const { png, bytes } = await draw({ nickname, siteName: nickname });
    expect(textOf(png)).toBe(`${SHARE}?spread=10001`);
    expect(ink(png)).toBeGreaterThan(50);
    expect(bytes.length).toBeLessThan(300 * 1024);
  });

  it.each(["warm", "light", "dark"] as const)(
    "has the design %s, of the store and of a product, with a readable code",
    async (design) => {
      const store = await draw({ design });
      const product = {
        title: "</text><script>茶 & “x”".repeat(5),
        price: "99.90",
        picture: new Uint8Array(plainPng(0, 0, 200, 300)),
      };
      const shareUrl = `${SHARE}?spread=10001&share=6f1c1c8e-3a5b-4a53-9b54-0d4a3f0c7d21#/products/39`;
      const ofProduct = await draw({ design, product, shareUrl });
      expect(textOf(store.png)).toBe(`${SHARE}?spread=10001`);
      expect(textOf(ofProduct.png)).toBe(shareUrl);
      const pixel = ({ data, width }: PNG, x: number, y: number) => [
        ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
      ];
      expect(pixel(ofProduct.png, 375, 340)).toEqual([0, 0, 200]);
      expect(pixel(store.png, 5, 700)).not.toEqual(
        pixel((await draw({ design: design === "warm" ? "dark" : "warm" })).png, 5, 700),
      );
      expect(textOf((await draw({ design, product: { ...product, picture: undefined }, shareUrl })).png)).toBe(
        shareUrl,
      );
    },
  );

  it("has a readable QR code for long links and large uids", async () => {
    const shareUrl = `https://shop.example.com/${"path/".repeat(30)}?spread=9007199254740991`;
    expect(textOf((await draw({ shareUrl })).png)).toBe(shareUrl);
  });

  it("stays below 300 KiB with any pictures on it", async () => {
    const noise = new PNG({ width: 430, height: 430 });
    for (let at = 0; at < noise.data.length; at += 1) noise.data[at] = (at * 7919 + ((at * at) % 251)) % 256;
    const picture = new Uint8Array(PNG.sync.write(noise));
    expect((await draw({ avatar: picture, code: picture })).bytes.length).toBeLessThan(300 * 1024);
    const product = { title: "Tea", price: "1.00", picture };
    expect((await draw({ product, code: picture })).bytes.length).toBeLessThan(300 * 1024);
  });
});
