import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8")) as {
  packages: Record<string, LockedPackage>;
};

interface LockedPackage {
  version: string;
  integrity?: string;
  optional?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Binaries for other platforms than that on which the lock file was written: the registry that it was written with did
 * not have them.
 */
const UNKNOWN = [
  ...["darwin-arm64", "darwin-x64", "linux-arm64-glibc", "win32-arm64", "win32-x64"].map(
    (platform) => `@deno/${platform} 2.9.6`,
  ),
  ...[
    "darwin-arm64",
    "darwin-x64",
    "linux-arm64",
    "linux-arm64-musl",
    "linux-x64-musl",
    "windows-arm64",
    "windows-x64",
  ].map((platform) => `@supabase/cli-${platform} 3.1.0`),
];

it("package-lock.json has the integrity of every package, so that npm installs no other one", () => {
  const without = Object.entries(packages).filter(
    ([path, { integrity, link }]) => path.includes("node_modules/") && !link && integrity === undefined,
  );
  expect(without.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")} ${version}`).sort()).toEqual(
    UNKNOWN.sort(),
  );
  expect(without.filter(([, { optional }]) => !optional)).toEqual([]);
});

it("the workspaces ask for one version of a package, so that a site and what it shares run on the same one", () => {
  const wanted = new Map<string, Set<string>>();
  for (const [path, { dependencies, devDependencies }] of Object.entries(packages))
    if (!path.includes("node_modules/"))
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
        wanted.set(name, (wanted.get(name) ?? new Set()).add(range));
  expect(wanted.size).toBeGreaterThan(50);
  expect([...wanted].filter(([, ranges]) => ranges.size > 1)).toEqual([]);
});
