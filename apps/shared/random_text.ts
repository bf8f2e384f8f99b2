import { hex } from "../../functions/_shared/ground/hex.ts";

/** A text that nobody can guess. Unlike `crypto.randomUUID`, it is there on a page by plain http, too. */
export function randomText(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
