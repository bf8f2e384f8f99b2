import { afterEach, expect, it, vi } from "vitest";
import { seed } from "../support/index.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it("random tests have another seed in each run, also in CI, unless SEED repeats one", () => {
  vi.stubEnv("SEED", undefined);
  vi.stubEnv("CI", "true");
  const seeds = ["2026-11-20T04:00:00.000Z", "2026-11-20T04:00:00.001Z"].map((now) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
    return seed();
  });
  expect(new Set(seeds).size).toBe(2);
  vi.stubEnv("SEED", "7");
  expect(seed()).toBe(7);
});
