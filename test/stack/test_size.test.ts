import { afterEach, expect, it, vi } from "vitest";
import { fullVariable } from "../../scripts/testing/size.ts";

const sizes = async (value: string): Promise<Record<string, number>> => {
  vi.stubEnv(fullVariable, value);
  vi.resetModules();
  return (await import("../../scripts/testing/size.ts")).testSize;
};
// Later files of the same worker load the sizes anew.
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it("every size of npm run test:full is larger than that of npm test", async () => {
  const [short, long] = [await sizes(""), await sizes("1")];
  expect(Object.keys(long)).toEqual(Object.keys(short));
  for (const [name, size] of Object.entries(short)) expect([name, long[name]! > size]).toEqual([name, true]);
});
