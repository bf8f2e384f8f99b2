import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { type Start, start, type Vector, vector } from "./format.ts";

const folder = fileURLToPath(new URL("vectors", import.meta.url));
const defaults = JSON.parse(readFileSync(new URL("defaults.json", import.meta.url), "utf8")) as Omit<Start, "members">;

/** The names of the vectors. */
export const vectorNames = (): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ""))
    .sort();

/** @throws ZodError if the file is no vector */
export const readVector = (name: string): Vector =>
  vector.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));

/** What a store gets before the events of a vector: what the vector does not name has the values of defaults.json. */
export const startOf = ({
  terms,
  plan,
  levels,
  products,
  members,
}: Omit<Vector, "events" | "expected" | "rules" | "says">): Start =>
  start.parse({
    terms: { ...defaults.terms, ...terms },
    plan: { ...defaults.plan, ...plan },
    levels: levels ?? defaults.levels,
    products: Object.fromEntries(
      Object.entries(products ?? defaults.products).map(([name, product]) => [name, { freight: "0.00", ...product }]),
    ),
    members,
  });
