import { describe, expect, it } from "vitest";
import { toCsv, type WriteValue } from "../../apps/console/src/components/csv.ts";

const write: WriteValue = (value) => (typeof value === "number" ? value : String(value ?? ""));
const column = [
  { id: "a", title: "A", cell: () => null, csv: ({ a }: { a: string | number }) => a },
  { id: "b", title: "Buttons", cell: () => null },
];
const lineOf = async (a: string | number) =>
  (await (await toCsv(column, [{ a }], write)).text()).replace("\uFEFF", "").split("\r\n").slice(1).join("\r\n");

describe("an exported file", () => {
  it.each([
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "＝1+1",
    "＋1",
    "－1+1",
    "＠SUM(1)",
    "\n=1+1",
    "\t=1+1",
    " =1+1",
    "\u3000=1+1",
  ])("escapes the formula %j", async (text) => {
    expect((await lineOf(text)).replace(/^"/, "")).toMatch(/^'/);
  });

  it.each(["12.50", "-12.50", "-7", "+8613800000000", "Chen = Jing", "a+b"])("does not change %j", async (text) => {
    expect(await lineOf(text)).toBe(text);
  });

  it("has a header row of the exported columns, and unformatted numbers", async () => {
    expect(await (await toCsv(column, [{ a: -3.5 }], write)).text()).toBe("A\r\n-3.5");
  });
});
