import { encode } from "uqr";
import { toBase64 } from "../../_shared/base64.ts";
import { pictureType } from "../../_shared/picture.ts";
import { escapeXml } from "./text.ts";

/** The content to draw, already shortened to fit. */
export interface PosterContent {
  nickname: string;
  invitation: string;
  caption: string;
  avatar: Uint8Array | undefined;
  /** The mini-program code as a picture, or the address that a QR code encodes. */
  code: Uint8Array | string;
}

const POSTER_WIDTH = 750;
const POSTER_HEIGHT = 1334;
export const FONT_FAMILY = "Noto Sans SC";

const CENTER = POSTER_WIDTH / 2;
const CARD = { x: 60, y: 190, width: 630, height: 1010 };
const AVATAR = { y: 200, radius: 90 };
const CODE = { y: 600, size: 400 };

/** Returns the poster as SVG. It escapes all texts and embeds all pictures, so the renderer fetches nothing. */
export function posterSvg({ nickname, invitation, caption, avatar, code }: PosterContent): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${POSTER_WIDTH}" height="${POSTER_HEIGHT}" font-family="${FONT_FAMILY}" text-anchor="middle">
  <defs>
    <linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c8102e"/><stop offset="1" stop-color="#f2703a"/></linearGradient>
    <clipPath id="round"><circle cx="${CENTER}" cy="${AVATAR.y}" r="${AVATAR.radius}"/></clipPath>
  </defs>
  <rect width="100%" height="100%" fill="url(#ground)"/>
  <circle cx="80" cy="90" r="150" fill="#ffffff" fill-opacity="0.08"/>
  <circle cx="700" cy="1260" r="210" fill="#ffffff" fill-opacity="0.08"/>
  <rect x="${CARD.x}" y="${CARD.y}" width="${CARD.width}" height="${CARD.height}" rx="36" fill="#ffffff"/>
  <circle cx="${CENTER}" cy="${AVATAR.y}" r="${AVATAR.radius + 10}" fill="#ffffff"/>
  ${avatar ? avatarPicture(avatar) : initial(nickname)}
  ${line(nickname, 380, 52, "#1f1f1f")}
  ${line(invitation, 470, 38, "#8a4b2a")}
  <rect x="${CENTER - 40}" y="510" width="80" height="6" rx="3" fill="#c8102e"/>
  ${typeof code === "string" ? qrCode(code) : picture(code, CENTER - CODE.size / 2, CODE.y, CODE.size)}
  ${line(caption, 1090, 34, "#5f5f5f")}
</svg>`;
}

function line(text: string, y: number, size: number, colour: string): string {
  return `<text x="${CENTER}" y="${y}" font-size="${size}" fill="${colour}">${escapeXml(text)}</text>`;
}

function initial(nickname: string): string {
  const [first = ""] = nickname;
  return `<circle cx="${CENTER}" cy="${AVATAR.y}" r="${AVATAR.radius}" fill="#f6c453"/>
  <text x="${CENTER}" y="${AVATAR.y + 34}" font-size="96" fill="#7a1020">${escapeXml(first.toUpperCase())}</text>`;
}

function avatarPicture(bytes: Uint8Array): string {
  const size = AVATAR.radius * 2;
  return `<g clip-path="url(#round)">${picture(bytes, CENTER - AVATAR.radius, AVATAR.y - AVATAR.radius, size, "xMidYMid slice")}</g>`;
}

function picture(bytes: Uint8Array, x: number, y: number, size: number, fit = "xMidYMid meet"): string {
  const address = `data:${pictureType(bytes)};base64,${toBase64(bytes)}`;
  return `<image x="${x}" y="${y}" width="${size}" height="${size}" preserveAspectRatio="${fit}" href="${address}"/>`;
}

/** Draws modules of whole pixels: fractional positions are drawn in grey, which scanners read badly. */
function qrCode(address: string): string {
  // The white card is the quiet zone around the code.
  const { data, size } = encode(address, { ecc: "M", border: 0 });
  const module = Math.max(Math.floor(CODE.size / size), 1);
  const left = Math.round(CENTER - (module * size) / 2);
  const top = Math.round(CODE.y + CODE.size / 2 - (module * size) / 2);
  const squares = data.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${left + x * module} ${top + y * module}h${module}v${module}h-${module}z` : "")),
  );
  return `<path fill="#000000" shape-rendering="crispEdges" d="${squares.join("")}"/>`;
}
