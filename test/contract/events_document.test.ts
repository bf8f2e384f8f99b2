import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";

it("docs/events.md lists every type of event as the catalogue has it", async () => {
  const sql = connect(stack().database_url);
  const types = await sql`select * from app.event_types order by rank`;
  await sql.end();
  const keys = (list: string[]) => list.map((key) => `\`${key}\``).join(", ");
  const rows = types.map(
    (t) =>
      `| \`${t.type}\` | ${t.version} | ${t.subject} | ${keys(t.keys)} | ${t.title}, ${t.title_zh} | ${t.description} |`,
  );
  const text = readFileSync(join(import.meta.dirname, "../../docs/events.md"), "utf8");
  expect(text.split("\n").filter((line) => /^\| `\w+\.\w+` /.test(line))).toEqual(rows);
});
