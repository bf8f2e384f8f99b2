import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { npm, released, releaseClones } from "./release_clones.ts";

const { clone } = releaseClones();

/** Makes a release in a folder of its own. @param umask of the user who makes it @returns its checksums */
async function sumsOfRelease(umask?: string): Promise<string> {
  const place = await clone(umask);
  const { code, output } = await npm(place, "release");
  expect(code, output).toBe(0);
  return readFileSync(join(released(place), "SHA256SUMS"), "utf8");
}

let sums: string;
beforeAll(async () => {
  sums = await sumsOfRelease();
});

// Guarantee operation/release-again: The same commit gives the same release, byte for byte, so that anybody can check
// what somebody built
// By: fixed times, sorted names, scripts/release/archive.ts
it("npm run release makes the same files of the same commit in another folder", async () => {
  // Nobody else may read the files of this user.
  expect(await sumsOfRelease("077")).toBe(sums);
});
