import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { readAsset } from "../../_shared/ground/assets.ts";
import type { PosterDesign } from "../../_shared/resources/products.ts";
import { type Font, loadFont } from "./font.ts";
import { FONT_FAMILY, type PosterContent, posterSvg } from "./template.ts";
import { drawable, shorten } from "./text.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The content of a poster. */
export interface Poster {
  uid: number;
  nickname: string;
  siteName: string;
  shareUrl: string;
  /** A PNG or JPEG. */
  avatar: Bytes | undefined;
  /** The mini-program code. Without it, a QR code of the share link is drawn. */
  code: Bytes | undefined;
  design: PosterDesign;
  /** The product that the poster shows. Its picture is a PNG or JPEG. */
  product: { title: string; price: string; picture: Bytes | undefined } | undefined;
}

/** Chat apps forward pictures up to this size without compressing them. */
const MAX_BYTES = 300 * 1024;
/** Widths to try, in order: with a photograph as avatar, the picture may be too large at full width. */
const WIDTHS = [750, 600, 480, 360];

let renderer: Promise<Font> | undefined;

/** Draws a poster as PNG. */
export async function drawPoster(poster: Poster): Promise<Bytes> {
  // Loaded once per instance. After a failure, the next call tries again.
  renderer ??= loadRenderer().catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  const font = await renderer;
  const svg = posterSvg(contentOf(poster, font));
  for (const width of WIDTHS) {
    const png = render(svg, width, font);
    if (png.length <= MAX_BYTES) return png;
  }
  // Without avatar and picture, the poster is always small enough.
  const bare = { ...poster, avatar: undefined, product: poster.product && { ...poster.product, picture: undefined } };
  return render(posterSvg(contentOf(bare, font)), WIDTHS.at(-1)!, font);
}

async function loadRenderer(): Promise<Font> {
  const [wasm, font] = await Promise.all([
    readAsset(new URL("../../../node_modules/@resvg/resvg-wasm/index_bg.wasm", import.meta.url)),
    loadFont(),
  ]);
  await initWasm(wasm);
  return font;
}

function contentOf(
  { uid, nickname, siteName, shareUrl, avatar, code, design, product }: Poster,
  font: Font,
): PosterContent {
  return {
    design,
    nickname: shorten(drawable(nickname, font) || `会员 ${uid}`, 11),
    invitation: `邀请你加入${shorten(drawable(siteName, font), 9)}`,
    caption: code ? "微信扫码，进入小程序" : "长按识别二维码，和我一起",
    avatar,
    code: code ?? shareUrl,
    product: product && {
      ...product,
      title: shorten(drawable(product.title, font) || "商品", 14),
      price: `¥${product.price}`,
    },
  };
}

function render(svg: string, width: number, font: Font): Bytes {
  const image = new Resvg(svg, {
    fitTo: { mode: "width", value: width },
    font: { fontBuffers: [font.bytes], defaultFontFamily: FONT_FAMILY, loadSystemFonts: false },
  });
  const picture = image.render();
  try {
    return new Uint8Array(picture.asPng());
  } finally {
    // The memory of the renderer is not garbage-collected.
    picture.free();
    image.free();
  }
}
