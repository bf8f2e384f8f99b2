/** How long the work on a picture may keep other requests of the instance waiting. */
const MOST_MS = 20;

let last = performance.now();

/** Lets other requests of the instance go on, if they have waited for long. To be called between steps of long work. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < MOST_MS) return;
  await new Promise((resolve) => setTimeout(resolve));
  last = performance.now();
}
