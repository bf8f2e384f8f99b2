import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cloneDatabase, connect } from "../support/index.ts";
import { formOfEvent, NUMBER_OF_EVENT_FORMS, play } from "./worked_examples/events.ts";
import { readExamples, readTable } from "./worked_examples/read_document.ts";
import { formOfResult, NUMBER_OF_RESULT_FORMS } from "./worked_examples/results.ts";
import { Store } from "./worked_examples/store.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/money.md"), "utf8");
const examples = readExamples(document);

const allForms = (count: number) => new Set(Array.from({ length: count }, (_, form) => form));

describe("the worked examples of docs/money.md", () => {
  it("are complete", () => {
    expect(examples.map(({ title }) => title)).toEqual([
      "A full cycle and its wrap-around",
      "Who may earn, and scope umbrella",
      "A chain of all five grades",
      "Equal and lower levels further up",
      "An order that raises its earner",
      "What else raises a level",
      "A refund after a release",
      "A withdrawal, and a refund after its payment",
      "A refund that is asked for before a withdrawal, and after it",
      "Withdrawals to WeChat",
      "Points at checkout",
      "Adjustments, within the limits and above them",
      "A member deletes the account",
      "An account is removed in Auth",
      "A partial refund by units",
      "A request and its answer",
      "An amount is paid back, and then units",
      "A plan change in mid-cycle",
      "Timing confirm",
      "Rounding down",
    ]);
  });

  it("use exactly the events and results that the document explains", () => {
    const explainedEvents = readTable(document, "event | meaning").map(([event]) => formOfEvent(event!));
    const explainedResults = readTable(document, "result | meaning").map(([result]) => formOfResult(result!));
    const rows = examples.flatMap((example) => example.rows);
    expect(new Set(explainedEvents)).toEqual(allForms(NUMBER_OF_EVENT_FORMS));
    expect(new Set(explainedResults)).toEqual(allForms(NUMBER_OF_RESULT_FORMS));
    expect(new Set(rows.map(({ event }) => formOfEvent(event)))).toEqual(allForms(NUMBER_OF_EVENT_FORMS));
    expect(new Set(rows.flatMap(({ results }) => results.map(formOfResult)))).toEqual(allForms(NUMBER_OF_RESULT_FORMS));
  });

  it.each(examples)("give the stated results in a store: $title", async ({ rows }) => {
    const store = await Store.open();
    try {
      let statedBalances = new Set<string>();
      for (const { line, day, event, results } of rows) {
        store.beginRow(day);
        await play(store, event);
        const changes = await store.changes();
        const named = results.flatMap((result) => /^(\w+) has /.exec(result)?.[1] ?? []);
        const balances = await Promise.all(named.map((name) => store.balances(name)));
        const amounts = await Promise.all(
          results
            .flatMap((result) => /^(\w+) can withdraw /.exec(result)?.[1] ?? [])
            .map((name) => store.withdrawable(name)),
        );
        const happened = [...changes, ...balances, ...amounts];
        expect(happened.length > 0 ? happened.sort() : ["nothing"], `docs/money.md, line ${line}: ${event}`).toEqual(
          [...results].sort(),
        );
        const paid = changes.map((change) => change.split(":")[0]!);
        statedBalances = new Set([...statedBalances].filter((name) => !paid.includes(name)).concat(named));
      }
      expect(await store.paidMembers(), "an example ends with the balances of everyone who was paid").toSatisfy(
        (members: string[]) => members.every((member) => statedBalances.has(member)),
      );
    } finally {
      await store.close();
    }
  });

  it("state how much one day releases", async () => {
    const clone = await cloneDatabase();
    const sql = connect(clone.url);
    try {
      for (const [frozen, released] of readTable(document, "frozen | released that day")) {
        const [row] = await sql`select trim_scale(app.release_amount(${frozen!}::numeric)) as released`;
        expect(row!.released, `of ${frozen}`).toBe(released);
      }
    } finally {
      await sql.end();
      await clone.drop();
    }
  });
});
