import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../functions/_shared/version.ts";

const root = join(import.meta.dirname, "../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

describe("the edge functions", () => {
  it("use the same packages, each pinned to one version", () => {
    const { imports } = readJson("functions/api/deno.json");
    expect(readJson("functions/adminapi/deno.json")).toEqual(readJson("functions/api/deno.json"));
    expect(readJson("functions/worker/deno.json")).toEqual(readJson("functions/adminapi/deno.json"));
    const poster = readJson("functions/poster/deno.json");
    expect(poster).toMatchObject(readJson("functions/api/deno.json"));
    for (const specifier of Object.values({ ...imports, ...poster.imports })) expect(specifier).toMatch(/^npm:\/?(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+\/?$/);
  });

  it("use the same package versions as the tests", () => {
    const { packages } = readJson("package-lock.json");
    const pinned = Object.values<string>(readJson("functions/poster/deno.json").imports)
      .map((specifier) => /^npm:\/?(.+)@([\d.]+)\/?$/.exec(specifier)!.slice(1));
    for (const [name, version] of pinned) expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  it("include the unchanged renderer of the package", () => {
    const [kept, installed] = ["functions/poster/assets/resvg.wasm", "node_modules/@resvg/resvg-wasm/index_bg.wasm"].map((path) => readFileSync(join(root, path)));
    expect(kept!.equals(installed!), "functions/poster/assets/resvg.wasm is not that of the package; copy it anew").toBe(true);
  });

  it("have the version of package.json", () => {
    expect(VERSION).toBe(readJson("package.json").version);
  });
});
