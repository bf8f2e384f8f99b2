/** A text that nobody can guess. Unlike `crypto.randomUUID`, it is there on a page by plain http, too. */
export function randomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
