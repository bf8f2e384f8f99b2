import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import type { Vector } from "../../kit/format.ts";
import { readVector, vectorNames } from "../../kit/load.ts";
import { about, AdapterError, runVector } from "../../kit/run.ts";
import { Problem } from "../ground/problem.ts";
import { bar, step } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run kit --",
  summary: `Runs the vectors of the rules (kit/vectors) against any system that has the same plan. An adapter drives that system; kit/README.md says
what it has to answer.`,
  notes: `Example: npm run kit -- --adapter http://127.0.0.1:8080 cycle_of_three

Exit status: 0 the system follows the rules, 1 it differs, 2 the vectors could not be run.`,
})
  .argument("[vectors...]", "the vectors to run (default: all)")
  .option("--adapter <url>", "the address of the adapter")
  .option("--list", "list the vectors with their rules, and run nothing");

interface Options {
  adapter?: string;
  list?: boolean;
}

async function run(names: string[], { adapter, list }: Options): Promise<number> {
  const known = vectorNames();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Problem(`There is no vector ${unknown.join(", ")}.`, "`npm run kit -- --list` lists them.");
  const vectors = (names.length > 0 ? names : known).map((name) => ({ name, vector: readVector(name) }));
  if (list) {
    printTable(
      ["vector", "rules", "what it shows"],
      vectors.map(({ name, vector }) => [name, vector.rules.join(", "), vector.says]),
    );
    return 0;
  }
  if (!adapter)
    throw new Problem(
      "Which system is to be tried?",
      "Start its adapter (kit/README.md), and name its address with --adapter.",
    );
  if (!URL.canParse(adapter))
    throw new Problem(`${adapter} is no address.`, "An address is like http://127.0.0.1:8080.");
  try {
    return await runAll(adapter, vectors);
  } catch (error) {
    if (error instanceof AdapterError) throw new Problem(error.message, "kit/README.md says what an adapter answers.");
    throw error;
  }
}

async function runAll(adapter: string, vectors: { name: string; vector: Vector }[]): Promise<number> {
  const { name: system, time } = await about(adapter);
  const skipped = vectors.filter(({ vector }) => time === "ignored" && vector.needs_time);
  const tried = vectors.filter((each) => !skipped.includes(each));
  const wrong = await step(`Vectors of the rules, on ${system}`, async (show) => {
    const found: { name: string; says: string; differences: string[] }[] = [];
    for (const [index, { name, vector }] of tried.entries()) {
      show(bar(index, tried.length, "vectors"));
      const differences = await runVector(adapter, vector);
      if (differences.length > 0) found.push({ name, says: vector.says, differences });
    }
    return found;
  });
  for (const { name, says, differences } of wrong)
    console.log(`\n${name}: ${says}\n${differences.map((each) => `  ${each}`).join("\n")}`);
  if (skipped.length > 0)
    console.log(`\nSkipped, because the adapter sets no time: ${skipped.map(({ name }) => name).join(", ")}`);
  console.log(`\n${tried.length - wrong.length} of ${tried.length} vectors are followed.`);
  return wrong.length > 0 ? 1 : 0;
}

await runCommandLine(command, run, 2);
