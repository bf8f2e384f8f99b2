import { expect, it } from "vitest";
import { freePort } from "../../scripts/ground/ports.ts";

it("gives no port twice while nothing listens on it, and none that the system gives to connections", async () => {
  const ports = new Set<number>();
  for (let count = 0; count < 700; count++) ports.add(await freePort());
  expect(ports.size).toBe(700);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
