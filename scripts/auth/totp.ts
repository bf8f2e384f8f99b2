import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** A new secret for {@link codeAt}, in base32. */
export function newSecret(): string {
  const bits = [...randomBytes(20)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.match(/.{5}/g)!.reduce((text, five) => text + ALPHABET[Number.parseInt(five, 2)]!, "");
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)));
}

/**
 * The code of an authenticator app at a time (RFC 6238 with SHA-1, steps of 30 seconds and six digits).
 * @param secret in base32
 * @param time in milliseconds
 */
export function codeAt(secret: string, time: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / STEP_MS)));
  const digest = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}

/**
 * Whether a code is that of the time, of the step before or of the next one. All three are compared, in constant time.
 */
export function isCode(secret: string, code: string, time: number): boolean {
  const given = Buffer.alloc(6);
  given.write(code);
  const equal = [-STEP_MS, 0, STEP_MS].map((skew) => timingSafeEqual(given, Buffer.from(codeAt(secret, time + skew))));
  return code.length === 6 && equal.includes(true);
}
