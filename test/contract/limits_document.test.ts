import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { cloneDatabase, connect } from "../support/index.ts";

it("docs/operations.md lists the limits of the role of the edge functions", async () => {
  const clone = await cloneDatabase();
  const sql = connect(clone.url);
  try {
    const [role] = await sql`select rolconfig, rolconnlimit from pg_roles where rolname = 'store_api'`;
    const limits = (role!.rolconfig as string[]).filter((setting) => setting !== "constraint_exclusion=off");
    const inForce = [...limits, `connection limit=${role!.rolconnlimit as number}`];
    const section = readFileSync(join(projectRoot, "docs/operations.md"), "utf8")
      .split("\n## ")
      .find((text) => text.startsWith("Limits\n"))!;
    const documented = [...section.split("An instance")[0]!.matchAll(/^\| `([\w ]+)` \| (\w+) \|/gm)].map(
      ([, name, value]) => `${name!}=${value!}`,
    );
    expect(documented.sort()).toEqual(inForce.sort());
  } finally {
    await sql.end();
    await clone.drop();
  }
});
