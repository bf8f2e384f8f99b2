import { readFileSync } from "node:fs";
import { Problem } from "../ground/problem.ts";
import { type Guarantee, guaranteesDocument, readGuarantees } from "../structure/guarantees.ts";
import { tableBelow } from "./document_table.ts";
import type { GeneratedFile } from "./openapi_files.ts";

const head = "| promise | mechanism | test |\n|---|---|---|\n";

const inCell = (text: string) => text.replaceAll("|", "\\|");

function testsCell({ tests }: Guarantee): string {
  return tests
    .map(({ file, names, longForm }) => {
      const described = names.map((name) => `"${name}"${longForm.includes(name) ? " (long form only)" : ""}`);
      return [`\`${file}\``, described.join(", ")].filter(Boolean).join(" ");
    })
    .join(", ");
}

/** docs/guarantees.md, with a table below each heading, as the comments of the tests declare the guarantees. */
export function documentOfGuarantees(): GeneratedFile {
  const guarantees = readGuarantees();
  const sections = readFileSync(guaranteesDocument, "utf8").split(/^(?=## )/m);
  const content = sections.map((section) => {
    const title = /^## (.*)$/m.exec(section)?.[1];
    if (title === undefined) return section;
    const rows = guarantees
      .filter(({ subject }) => subject === title)
      .map(
        (guarantee) =>
          [guarantee.promise, guarantee.mechanism, testsCell(guarantee)].map((text) => `| ${inCell(text)} `).join("") +
          "|\n",
      );
    const changed = tableBelow(section, head, rows);
    if (changed === undefined)
      throw new Problem(`"${title}" of docs/guarantees.md has no table with this head:\n${head}`, "Put the head back.");
    return changed;
  });
  return { path: guaranteesDocument, content: content.join("") };
}
