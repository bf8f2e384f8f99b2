import { expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { refusingEmptyWrites } from "../support/writes_of_demo_data.ts";

it("a write that finds no row in a demo month fails and names itself; one that finds a row, a query and a part of a query do not", async () => {
  const sql = refusingEmptyWrites(connect(stack().database_url));
  try {
    await sql`create temporary table things (id integer)`;
    const none = sql`where id = ${7}`;
    await expect(sql`insert into things select 7 from things`).rejects.toThrow(
      "has no row for: insert into things select 7 from things",
    );
    expect(await sql`select * from things`).toEqual([]);
    await sql`insert into things values (7)`;
    expect((await sql`update things set id = 8 ${none} returning id`)[0]).toEqual({ id: 8 });
    await expect(sql`update things set id = 9 ${none}`).rejects.toThrow("has no row for: update things");
    expect([...(await sql`delete from things ${none}`)]).toEqual([]);
  } finally {
    await sql.end();
  }
});
