import { describe, expect, it } from "vitest";
import { modules } from "../../scripts/structure/modules.ts";
import { readingPath } from "../../scripts/structure/reading_path.ts";

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

// `npm run structure` prints these figures.
describe("the source of the database", () => {
  it("has at most 150 files", () => {
    expect(sum(modules().map(({ files }) => files))).toBeLessThanOrEqual(150);
  });

  it("leads from a paid order to its bill rows through at most 20 files and 3,000 lines of functions", () => {
    const path = readingPath();
    // The path ends where the bill is written.
    expect(path.flatMap(({ functions }) => functions)).toEqual(
      expect.arrayContaining(["app.take_payment", "app.settle_orders", "app.book_entries"]),
    );
    expect(path.length).toBeLessThanOrEqual(20);
    expect(sum(path.map(({ lines }) => lines))).toBeLessThanOrEqual(3000);
  });

  it("counts what a function calls, and what that calls", () => {
    expect(readingPath(["app.require_time"])).toEqual([
      { file: "01_ground/2_errors_and_numbers.sql", functions: ["app.fail", "app.require_time"], lines: expect.any(Number) },
    ]);
  });
});
