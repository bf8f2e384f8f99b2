import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { documentOfGoingLive, points } from "../../scripts/doctor/points.ts";

const { path, content } = documentOfGoingLive();
const document = readFileSync(path, "utf8");

it("docs/deploy.md has the list that the doctor answers. `npm run gen` writes it", () => {
  expect(document).toBe(content);
});

it("each point is of a section of docs/deploy.md, in the order of the sections", () => {
  const sections = [...document.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number));
  expect(sections.length).toBeGreaterThan(4);
  const named = points.map(({ section }) => section);
  expect(named.filter((section) => !sections.includes(section))).toEqual([]);
  expect(named).toEqual(named.toSorted((one, other) => one - other));
});

it("each check of the doctor has one place in the list", () => {
  const checks = points.flatMap((point) => point.checks);
  expect(new Set(checks).size).toBe(checks.length);
});
