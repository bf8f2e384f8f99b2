// What shops and their customers reported about pictures in public trackers, tried on this store. Each source is cited.
import { join } from "node:path";
import { build } from "esbuild";
import { PNG } from "pngjs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { launchBrowser } from "../../scripts/pictures/console_visit.ts";
import { type Account, call, expectProblem, type Reply, signUp, signUpAdmin } from "../api/client.ts";
import { middleOf, writeJpeg, writeWebp } from "../api/picture_writer.ts";
import { bytesOf, png } from "../api/png_writer.ts";
import { lacking } from "../../scripts/testing/context.ts";
import type * as Site from "../../apps/shared/upload_picture.ts";
import { connect, skipFor, stack } from "../support/index.ts";
import {
  animatedWebp,
  deepPng,
  exif,
  followedBy,
  iccProfile,
  plain,
  printJpeg,
  profiledPng,
  profiledWebp,
  withProfile,
  withSegment,
} from "./odd_pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

let admin: Account;
let member: Account;
const sql = connect(stack().database_url);
beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Uploads"), signUp("Shares")]);
});
afterAll(() => sql.end());

async function upload(file: Bytes, by = admin, kind = "store"): Promise<Reply> {
  // A file takes long to write, and what the server has closed meanwhile is noticed first.
  await new Promise((resolve) => setImmediate(resolve));
  return call("POST", `/picture/${kind}`, {
    token: by.token,
    init: { headers: { "accept-language": "en" }, body: file },
  });
}

async function stored(file: Bytes): Promise<Bytes> {
  const { status, body } = await upload(file);
  expect([status, body.code]).toEqual([201, undefined]);
  return new Uint8Array(await (await fetch(body.url)).arrayBuffer());
}

const jpegOf = (width: number, height: number, [red, green, blue]: number[] = [200, 30, 30]) =>
  writeJpeg(plain(width, height, red!, green!, blue!), { quality: 95, progressive: false });
const pngOf = (width: number, height: number) =>
  png({ width, height, depth: 8, colourType: 0, rows: new Uint8Array((width + 1) * height) });
/** A second picture, as a phone puts it behind the first for the brightest parts (Ultra HDR). */
const second = jpegOf(40, 30);
const SAMSUNG = "\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1637100000000SEFHk\0\0\0\x01\0\0\0SEFT";
const FILM = "\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08mdat";

// anima-research/agent-framework#143: a camera's picture was refused, because its end was not the end of the file.
describe("what follows a picture", () => {
  // Guarantee access/uploads-redrawn
  it.each<[string, () => Promise<Bytes> | Bytes]>([
    ["two zero bytes behind a JPEG", async () => followedBy(await jpegOf(60, 40), "\0\0")],
    ["a line feed behind a JPEG", async () => followedBy(await jpegOf(60, 40), "\n")],
    ["a second JPEG, as of Ultra HDR", async () => followedBy(await jpegOf(60, 40), await second)],
    ["a trailer of Samsung", async () => followedBy(await jpegOf(60, 40), SAMSUNG)],
    ["a film, as of a motion photo", async () => followedBy(await jpegOf(60, 40), FILM)],
    ["an archive behind a JPEG", async () => followedBy(await jpegOf(60, 40), `PK\x05\x06${"\0".repeat(18)}`)],
    ["one byte behind a PNG", () => followedBy(pngOf(60, 40), "x")],
    ["a page behind a PNG", () => followedBy(pngOf(60, 40), "<script>alert(1)</script>")],
    ["one byte behind a WebP", async () => followedBy(await writeWebp(plain(60, 40, 9, 9, 9), { quality: 80 }), "x")],
    [
      "bytes between two segments of a JPEG",
      async () => {
        const file = await jpegOf(60, 40);
        const tables = Buffer.from(file).indexOf(Buffer.from([0xff, 0xdb]));
        return bytesOf(Buffer.concat([file.subarray(0, tables), Buffer.from([0, 0, 7]), file.subarray(tables)]));
      },
    ],
    [
      "bytes between the data of a JPEG and its end",
      async () => {
        const file = await jpegOf(60, 40);
        return followedBy(followedBy(file.subarray(0, -2), "\0\0\x09\0"), "\xff\xd9");
      },
    ],
  ])("is cut off, if it is %s, for the store and for an avatar", async (_, file) => {
    const uploaded = await upload(await file());
    expect([uploaded.status, uploaded.body.width, uploaded.body.height]).toEqual([201, 60, 40]);
    const kept = Buffer.from(await (await fetch(uploaded.body.url)).arrayBuffer());
    for (const left of ["SEFH", "ftyp", "PK\x05", "script"]) expect(kept.includes(left), left).toBe(false);
    // A member of its own, because a member changes their picture ten times an hour.
    expect((await upload(await file(), await signUp("Portrait"), "avatar")).status).toBe(201);
  });

  it("does not make half a picture whole", async () => {
    const file = await jpegOf(600, 400);
    const half = file.subarray(0, file.length >> 1);
    for (const damaged of [half, followedBy(half, "\0\0"), pngOf(60, 40).subarray(0, -12)])
      expectProblem(await upload(bytesOf(Buffer.from(damaged))), "picture_refused");
  });
});

// nextcloud/server#61271, imgproxy/imgproxy#539: the profile was dropped, and the colours stayed as they were, pale.
describe("a picture whose colours are not those of sRGB", () => {
  const near = (found: number[], expected: number[], by = 12) =>
    expect(Math.max(...found.map((value, at) => Math.abs(value - expected[at]!))), found.join("/")).toBeLessThanOrEqual(
      by,
    );
  /** What stands for 0/200/0 of sRGB in Display P3, and in Adobe RGB. */
  const GREEN = { displayP3: [90, 197, 59], adobeRgb: [112, 199, 47] };

  it.each<[string, () => Promise<Bytes> | Bytes]>([
    [
      "a small JPEG in Display P3",
      async () => withProfile(await jpegOf(60, 40, GREEN.displayP3), iccProfile("displayP3", "srgb")),
    ],
    [
      "a large JPEG in Display P3",
      async () => withProfile(await jpegOf(2600, 1800, GREEN.displayP3), iccProfile("displayP3", "srgb")),
    ],
    [
      "a JPEG in Adobe RGB",
      async () => withProfile(await jpegOf(60, 40, GREEN.adobeRgb), iccProfile("adobeRgb", "gamma")),
    ],
    [
      "a PNG in Display P3, as of a screen",
      () => profiledPng(60, 40, GREEN.displayP3, iccProfile("displayP3", "srgb")),
    ],
    [
      "a WebP in Display P3",
      async () =>
        profiledWebp(
          await writeWebp(plain(60, 40, 90, 197, 59), { quality: 95 }),
          60,
          40,
          iccProfile("displayP3", "srgb"),
        ),
    ],
  ])("is stored in sRGB, if it is %s", async (_, file) => {
    const kept = await stored(await file());
    near(await middleOf(kept), [0, 200, 0]);
    expect(Buffer.from(kept).includes("ICC_PROFILE")).toBe(false);
  });

  it("follows a curve of single values", async () => {
    const kept = await stored(profiledPng(60, 40, [127, 127, 127], iccProfile("srgb", "table")));
    near(await middleOf(kept), [187, 187, 187]);
  });

  it.each<[string, Bytes]>([
    ["of sRGB itself", iccProfile("srgb", "srgb")],
    ["that is cut off", iccProfile("displayP3", "srgb").subarray(0, 200)],
    ["for printing", bytesOf(Buffer.from(iccProfile("displayP3", "srgb")).fill("CMYK", 16, 20))],
    ["that is none", bytesOf(Buffer.alloc(300, 0xff))],
  ])("stays as it is, with a profile %s", async (_, profile) => {
    near(await middleOf(await stored(withProfile(await jpegOf(60, 40, [40, 90, 160]), profile))), [40, 90, 160], 4);
  });
});

// frappe/frappe#37998: the orientation was lost.
it.each([3, 5, 6])("a picture stands upright, if the camera was held as %i of EXIF says", async (orientation) => {
  const { body } = await upload(withSegment(await jpegOf(60, 40), 0xe1, exif(orientation)));
  expect([body.width, body.height]).toEqual(orientation < 5 ? [60, 40] : [40, 60]);
});

// vercel/satori#622: the renderer cannot show WebP, which a transparent picture is stored as.
describe("the poster of a product", () => {
  async function redOf(images: string[]): Promise<number> {
    const [product] =
      await sql`insert into app.products (title, price, images) values ('Lamp', 9.90, ${images}) returning id::integer`;
    const { body } = await call("GET", `/api/spread/poster?product_id=${product!.id}`, { token: member.token });
    const { data, width } = PNG.sync.read(Buffer.from(await (await fetch(body.image_url)).arrayBuffer()));
    let red = 0;
    for (let y = 100; y < 580; y += 1)
      for (let at = (y * width + 60) * 4; at < (y * width + 690) * 4; at += 4)
        if (data[at]! > 180 && data[at + 1]! < 60 && data[at + 2]! < 60) red += 1;
    return red;
  }

  it.each<[string, () => Promise<Bytes> | Bytes]>([
    [
      "with holes",
      () => {
        const picture = plain(300, 300, 220, 20, 20);
        for (let at = 3; at < picture.data.length / 2; at += 4) picture.data[at] = 0;
        const file = new PNG({ width: 300, height: 300 });
        file.data = Buffer.from(picture.data);
        return bytesOf(PNG.sync.write(file));
      },
    ],
    [
      "that is slightly transparent all over",
      () => {
        const file = new PNG({ width: 300, height: 300 });
        file.data = Buffer.from(plain(300, 300, 220, 20, 20, 250).data);
        return bytesOf(PNG.sync.write(file));
      },
    ],
    ["that is opaque", () => jpegOf(300, 300, [220, 20, 20])],
  ])("shows a picture %s", async (_, file) => {
    const { body } = await upload(await file());
    expect(await redOf([body.url])).toBeGreaterThan(100_000);
  });
});

// LogicAndTrick/twhl#108: the browser converted large files only, and the server refused the others.
skipFor(describe, lacking("browser"))("a site", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [join(projectRoot, "apps/shared/upload_picture.ts")],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "site",
    });
    browser = await launchBrowser();
    page = await browser.newPage();
    const address = `${stack().supabase_url}/an-empty-page`;
    await page.route(address, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>A site</title>" }),
    );
    await page.goto(address);
    await page.addScriptTag({ content: outputFiles[0]!.text });
  });
  afterAll(() => browser?.close());

  /** Uploads a file with the code of the sites. */
  async function uploadBySite(file: Bytes, type: string): Promise<object> {
    const given = {
      url: stack().functions_url,
      token: admin.token,
      base64: Buffer.from(file).toString("base64"),
      type,
    };
    return page.evaluate(async ({ url, token, base64, type }) => {
      const { createUpload } = (globalThis as never as { site: typeof Site }).site;
      const body = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const send = createUpload(url, async () => token);
      return send("store", new Blob([body], { type }), () => undefined).catch(
        (error: { code?: string; message: string }) => ({
          code: error.code ?? error.message,
        }),
      );
    }, given);
  }

  it.each<[string, string, (width: number, height: number) => Promise<Bytes> | Bytes]>([
    ["a JPEG for printing", "image/jpeg", printJpeg],
    ["a trailer of Samsung", "image/jpeg", async (width, height) => followedBy(await jpegOf(width, height), SAMSUNG)],
    ["a PNG of 16 bits", "image/png", deepPng],
    ["an animated WebP", "image/webp", animatedWebp],
  ])("stores %s in both sizes", async (_, type, write) => {
    expect(await uploadBySite(await write(600, 400), type)).toMatchObject({ width: 600, height: 400 });
    expect(await uploadBySite(await write(2600, 1800), type)).toMatchObject({ width: 2048, height: 1418 });
  });

  it("converts what only a browser knows, and says why the store refuses what no browser decodes", async () => {
    const gif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
    expect(await uploadBySite(bytesOf(gif), "image/gif")).toMatchObject({ width: 1, height: 1 });
    // A wrong name of the type: the content counts.
    expect(await uploadBySite(bytesOf(gif), "image/png")).toMatchObject({ width: 1, height: 1 });
    expect(await uploadBySite(bytesOf(Buffer.from("no picture")), "image/jpeg")).toEqual({ code: "picture_refused" });
  });
});
