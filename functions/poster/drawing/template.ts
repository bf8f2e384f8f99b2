import { encode } from "uqr";
import { toBase64 } from "../../_shared/ground/base64.ts";
import { pictureType } from "../../_shared/pictures/picture_type.ts";
import type { PosterDesign } from "../../_shared/resources/products.ts";
import { escapeXml } from "./text.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The content to draw, already shortened to fit. */
export interface PosterContent {
  design: PosterDesign;
  nickname: string;
  invitation: string;
  caption: string;
  avatar: Bytes | undefined;
  /** The mini-program code as a picture, or the address that a QR code encodes. */
  code: Bytes | string;
  /** The product that the poster shows; undefined for that of the store. */
  product: { title: string; price: string; picture: Bytes | undefined } | undefined;
}

/** The colours of a design. */
interface Look {
  /** Of the ground, from top to bottom. */
  ground: [string, string];
  card: string;
  name: string;
  words: string;
  caption: string;
  accent: string;
  initial: [ground: string, letter: string];
}

const LOOKS: Record<PosterDesign, Look> = {
  warm: {
    ground: ["#c8102e", "#f2703a"],
    card: "#ffffff",
    name: "#1f1f1f",
    words: "#8a4b2a",
    caption: "#5f5f5f",
    accent: "#c8102e",
    initial: ["#f6c453", "#7a1020"],
  },
  light: {
    ground: ["#eef3ec", "#cfe0d2"],
    card: "#ffffff",
    name: "#1e2b22",
    words: "#3f6b4d",
    caption: "#59645c",
    accent: "#2f7d4f",
    initial: ["#2f7d4f", "#ffffff"],
  },
  dark: {
    ground: ["#0e1116", "#2b3340"],
    card: "#191e26",
    name: "#ffffff",
    words: "#e3c58c",
    caption: "#c3c8cf",
    accent: "#e3c58c",
    initial: ["#e3c58c", "#191e26"],
  },
};

const POSTER_WIDTH = 750;
const POSTER_HEIGHT = 1334;
export const FONT_FAMILY = "Noto Sans SC";

const CENTER = POSTER_WIDTH / 2;
const CARD = { x: 60, y: 190, width: 630, height: 1010 };
const AVATAR = { y: 200, radius: 90 };
/** The places of the code: on the poster of the store, and below a product. */
const CODE = { y: 600, size: 400 };
const CODE_OF_PRODUCT = { y: 770, size: 270 };
const PICTURE = { x: 60, y: 100, width: 630, height: 480 };
/** The white edge that scanners need around a code. */
const QUIET = 20;

/** Returns the poster as SVG. It escapes all texts and embeds all pictures, so the renderer fetches nothing. */
export function posterSvg(content: PosterContent): string {
  const look = LOOKS[content.design];
  const [above, below] = look.ground;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${POSTER_WIDTH}" height="${POSTER_HEIGHT}" font-family="${FONT_FAMILY}" text-anchor="middle">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${above}"/><stop offset="1" stop-color="${below}"/></linearGradient>
    <clipPath id="round"><circle cx="${CENTER}" cy="${AVATAR.y}" r="${AVATAR.radius}"/></clipPath>
    <clipPath id="framed"><rect x="${PICTURE.x}" y="${PICTURE.y}" width="${PICTURE.width}" height="${PICTURE.height}" rx="36"/></clipPath>
  </defs>
  <rect width="100%" height="100%" fill="url(#ground)"/>
  <circle cx="80" cy="90" r="150" fill="#ffffff" fill-opacity="0.08"/>
  <circle cx="700" cy="1260" r="210" fill="#ffffff" fill-opacity="0.08"/>
  ${content.product ? ofProduct(content, content.product, look) : ofStore(content, look)}
</svg>`;
}

function ofStore({ nickname, invitation, caption, avatar, code }: PosterContent, look: Look): string {
  return `<rect x="${CARD.x}" y="${CARD.y}" width="${CARD.width}" height="${CARD.height}" rx="36" fill="${look.card}"/>
  <circle cx="${CENTER}" cy="${AVATAR.y}" r="${AVATAR.radius + 10}" fill="${look.card}"/>
  ${avatar ? avatarPicture(avatar) : initial(nickname, AVATAR.y, look)}
  ${line(nickname, 380, 52, look.name)}
  ${line(invitation, 470, 38, look.words)}
  <rect x="${CENTER - 40}" y="510" width="80" height="6" rx="3" fill="${look.accent}"/>
  ${codeAt(code, CODE)}
  ${line(caption, 1090, 34, look.caption)}`;
}

function ofProduct(
  { nickname, invitation, caption, code }: PosterContent,
  { title, price, picture: shown }: NonNullable<PosterContent["product"]>,
  look: Look,
): string {
  const { x, y, width, height } = PICTURE;
  const bottom = CARD.y + CARD.height;
  return `<rect x="${CARD.x}" y="${y}" width="${CARD.width}" height="${bottom - y}" rx="36" fill="${look.card}"/>
  ${shown ? framed(picture(shown, x, y, width, height, "xMidYMid slice")) : initial(title, y + height / 2, look)}
  ${line(title, 650, 42, look.name)}
  ${line(price, 725, 50, look.accent)}
  ${codeAt(code, CODE_OF_PRODUCT)}
  ${line(`${nickname}　${invitation}`, 1110, 30, look.words)}
  ${line(caption, 1160, 26, look.caption)}`;
}

/** On white, in every design: pictures of goods that are cut out are made for it. */
function framed(shown: string): string {
  const { x, y, width, height } = PICTURE;
  return `<g clip-path="url(#framed)"><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#ffffff"/>${shown}</g>`;
}

function line(text: string, y: number, size: number, colour: string): string {
  return `<text x="${CENTER}" y="${y}" font-size="${size}" fill="${colour}">${escapeXml(text)}</text>`;
}

function initial(text: string, y: number, { initial: [ground, letter] }: Look): string {
  const [first = ""] = text;
  return `<circle cx="${CENTER}" cy="${y}" r="${AVATAR.radius}" fill="${ground}"/>
  <text x="${CENTER}" y="${y + 34}" font-size="96" fill="${letter}">${escapeXml(first.toUpperCase())}</text>`;
}

function avatarPicture(bytes: Bytes): string {
  const size = AVATAR.radius * 2;
  return `<g clip-path="url(#round)">${picture(bytes, CENTER - AVATAR.radius, AVATAR.y - AVATAR.radius, size, size, "xMidYMid slice")}</g>`;
}

function picture(bytes: Bytes, x: number, y: number, width: number, height: number, fit = "xMidYMid meet"): string {
  const address = `data:${pictureType(bytes)};base64,${toBase64(bytes)}`;
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="${fit}" href="${address}"/>`;
}

function codeAt(code: Bytes | string, { y, size }: typeof CODE): string {
  const edge = size + 2 * QUIET;
  const ground = `<rect x="${CENTER - edge / 2}" y="${y - QUIET}" width="${edge}" height="${edge}" rx="12" fill="#ffffff"/>`;
  return ground + (typeof code === "string" ? qrCode(code, y, size) : picture(code, CENTER - size / 2, y, size, size));
}

/** Draws modules of whole pixels: fractional positions are drawn in grey, which scanners read badly. */
function qrCode(address: string, y: number, side: number): string {
  const { data, size } = encode(address, { ecc: "M", border: 0 });
  const module = Math.max(Math.floor(side / size), 1);
  const left = Math.round(CENTER - (module * size) / 2);
  const top = Math.round(y + side / 2 - (module * size) / 2);
  const squares = data.flatMap((row, down) =>
    row.map((dark, across) =>
      dark ? `M${left + across * module} ${top + down * module}h${module}v${module}h-${module}z` : "",
    ),
  );
  return `<path fill="#000000" shape-rendering="crispEdges" d="${squares.join("")}"/>`;
}
