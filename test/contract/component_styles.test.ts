import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";

const console_ = join(import.meta.dirname, "../../apps/console");
const library = dirname(createRequire(import.meta.url).resolve("@mantine/core/styles.css"));
const listed = [
  ...readFileSync(join(console_, "src/app/components.css"), "utf8").matchAll(/@mantine\/core\/styles\/([\w-]+)\.css/g),
].map(([, name]) => name!);

/** The classes of the component library, such as `m_77c9d27d`. */
const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
const sheets = readdirSync(join(library, "styles")).filter(
  (file) => file.endsWith(".css") && !file.endsWith(".layer.css"),
);

it("the console has the style sheet of each component of the library that it uses, and no other", async () => {
  const { output } = (await build({
    root: console_,
    configFile: join(console_, "vite.config.ts"),
    logLevel: "error",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  // A sheet that is loaded later comes before the first one, whose rules would override it.
  expect(output.filter(({ fileName }) => fileName.endsWith(".css"))).toHaveLength(1);
  const used = classesOf(output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n"));
  const needed = sheets
    .filter((file) =>
      [...classesOf(readFileSync(join(library, "styles", file), "utf8"))].some((name) => used.has(name)),
    )
    .map((file) => file.replace(".css", ""));
  expect(needed.length).toBeGreaterThan(30);
  expect(listed.toSorted()).toEqual([...needed, "baseline", "default-css-variables", "global"].toSorted());
});
