import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { lines } from "../structure/lines.ts";
import { modules } from "../structure/modules.ts";
import { type Call, callTree, readingPath } from "../structure/reading_path.ts";
import { prose } from "../structure/words.ts";

const command = describeCommand({
  usage: "npm run structure --",
  summary:
    "Prints the modules of sql/ and what they use, what a reader opens between a paid order and its bill rows and what calls what there, the lines of each folder, and the words of the documents.",
  notes: "test/contract/structure.test.ts holds the limits of these figures.",
}).option("--json", "print the same as JSON");

const total = (numbers: number[]) => String(numbers.reduce((sum, number) => sum + number, 0));

/** A row for each call, indented under what calls it. */
const callRows = (calls: Call[], depth = 0): string[][] =>
  calls.flatMap(({ name, file, line, isAbove, calls: inner }) => [
    [`${"  ".repeat(depth)}${name.replace("app.", "")}`, isAbove ? "(above)" : `sql/${file}:${line}`],
    ...callRows(inner, depth + 1),
  ]);

function structure({ json = false }: { json?: boolean }): void {
  const [parts, path, calls, folders, texts] = [modules(), readingPath(), callTree(), lines(), prose()];
  if (json) return console.log(JSON.stringify({ modules: parts, path, calls, lines: folders, prose: texts }, null, 2));
  printTable(
    ["module", "files", "lines", "functions", "  uses"],
    [
      ...parts.map(({ name, files, lines, functions, uses }) => [
        name,
        String(files),
        String(lines),
        String(functions),
        `  ${uses.join(" ")}`,
      ]),
      [
        "",
        total(parts.map(({ files }) => files)),
        total(parts.map(({ lines }) => lines)),
        total(parts.map(({ functions }) => functions)),
        "",
      ],
    ],
  );
  console.log("\nFrom a paid order to its bill rows:");
  printTable(
    ["file", "lines", "  functions"],
    [
      ...path.map(({ file, lines, functions }) => [
        file,
        String(lines),
        `  ${functions.map((name) => name.replace("app.", "")).join(", ")}`,
      ]),
      [`${path.length} files`, total(path.map(({ lines }) => lines)), ""],
    ],
  );
  console.log("\nWhat calls what there:");
  printTable(["function", "where it stands"], callRows(calls));
  console.log("\nLines, without the migrations of released versions:");
  printTable(
    ["folder", "written", "generated", "of more than 120 characters"],
    [
      ...folders.map(({ folder, written, generated, long }) => [
        folder,
        String(written),
        String(generated),
        String(long),
      ]),
      [
        "",
        total(folders.map(({ written }) => written)),
        total(folders.map(({ generated }) => generated)),
        total(folders.map(({ long }) => long)),
      ],
    ],
  );
  console.log("");
  printTable(
    ["documents", "files", "words"],
    texts.map(({ name, files, words }) => [name, String(files), String(words)]),
    1,
  );
}

await runCommandLine(command, structure);
