import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { readAsset } from "./assets.ts";
import { type Font, loadFont } from "./font.ts";
import { FONT_FAMILY, type PosterContent, posterSvg } from "./template.ts";
import { drawable, shorten } from "./text.ts";

/** What a poster is drawn from. */
export interface Poster {
  uid: number;
  nickname: string;
  siteName: string;
  shareUrl: string;
  /** A PNG or JPEG. */
  avatar: Uint8Array | undefined;
  /** The mini-program code; a QR code of the share link is drawn where there is none. */
  code: Uint8Array | undefined;
}

/** As a chat sends it along without asking. */
const MOST_BYTES = 300 * 1024;
/** Tried in order: a picture with a photograph on it may be too large at its full width. */
const WIDTHS = [750, 600, 480, 360];

let renderer: Promise<Font> | undefined;

/** Draws a poster as PNG. */
export async function drawPoster(poster: Poster): Promise<Uint8Array<ArrayBuffer>> {
  // Once per instance, and again after it failed.
  renderer ??= loadRenderer().catch((error: unknown) => {
    renderer = undefined;
    throw error;
  });
  const font = await renderer;
  const svg = posterSvg(contentOf(poster, font));
  for (const width of WIDTHS) {
    const png = render(svg, width, font);
    if (png.length <= MOST_BYTES) return png;
  }
  // Whatever is on the avatar, the poster without it is small.
  return render(posterSvg(contentOf({ ...poster, avatar: undefined }, font)), WIDTHS.at(-1)!, font);
}

async function loadRenderer(): Promise<Font> {
  const [wasm, font] = await Promise.all([readAsset("resvg.wasm"), loadFont()]);
  await initWasm(wasm);
  return font;
}

function contentOf({ uid, nickname, siteName, shareUrl, avatar, code }: Poster, font: Font): PosterContent {
  return {
    nickname: shorten(drawable(nickname, font) || `会员 ${uid}`, 11),
    invitation: `邀请你加入${shorten(drawable(siteName, font), 9)}`,
    caption: code ? "微信扫码，进入小程序" : "长按识别二维码，和我一起",
    avatar,
    code: code ?? shareUrl,
  };
}

function render(svg: string, width: number, font: Font): Uint8Array<ArrayBuffer> {
  const image = new Resvg(svg, {
    fitTo: { mode: "width", value: width },
    font: { fontBuffers: [font.bytes], defaultFontFamily: FONT_FAMILY, loadSystemFonts: false },
  });
  const picture = image.render();
  try {
    return new Uint8Array(picture.asPng());
  } finally {
    // Memory of the renderer is not collected.
    picture.free();
    image.free();
  }
}
