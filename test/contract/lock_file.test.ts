import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, { version: string; integrity?: string; optional?: boolean; link?: boolean }>;
};

/** Binaries for other platforms than that on which the lock file was written: the registry that it was written with did not have them. */
const UNKNOWN = [
  ...["darwin-arm64", "darwin-x64", "linux-arm64-glibc", "win32-arm64", "win32-x64"].map((platform) => `@deno/${platform} 2.9.6`),
  ...["darwin-arm64", "darwin-x64", "linux-arm64", "linux-arm64-musl", "linux-x64-musl", "windows-arm64", "windows-x64"].map(
    (platform) => `@supabase/cli-${platform} 3.1.0`,
  ),
];

it("package-lock.json has the integrity of every package, so that npm installs no other one", () => {
  const without = Object.entries(packages).filter(([path, { integrity, link }]) => path !== "" && !link && integrity === undefined);
  expect(without.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`).sort()).toEqual(UNKNOWN.sort());
  expect(without.filter(([, { optional }]) => !optional)).toEqual([]);
});
