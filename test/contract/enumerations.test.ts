import { describe, expect, it } from "vitest";
import { event } from "../../functions/adminapi/routes/events.ts";
import { savedViewPage } from "../../functions/adminapi/routes/saved_views.ts";
import { outcome } from "../../functions/adminapi/routes/payments.ts";
import { billRow, billType } from "../../functions/_shared/resources/bill.ts";
import { transferState } from "../../functions/_shared/resources/withdrawals.ts";
import { agentLevel, taskType } from "../../functions/_shared/resources/levels.ts";
import { posterDesign } from "../../functions/_shared/resources/products.ts";
import { table } from "../../scripts/structure/sql_source.ts";

/** The values that a constraint `check (column in (…))` of a table allows. */
function allowed(name: string, constraint: string): string[] {
  const [, list] = new RegExp(`constraint ${constraint} check \\(\\s*\\w+ in \\(([^)]*)\\)`).exec(table(name)) ?? [];
  return [...(list ?? "").matchAll(/'(\w+)'/g)].map(([, value]) => value!).sort();
}

describe("the values that the database allows are those that the API declares", () => {
  it("for bill types and their sources", () => {
    expect(allowed("user_bill", "type_is_known")).toEqual([...billType.options].sort());
    expect(allowed("user_bill", "source_is_known")).toEqual([...billRow.shape.source.options].sort());
  });

  it("for the outcomes of notifications of payment providers", () => {
    expect(allowed("payment_notifications", "outcome_is_known")).toEqual([...outcome.options].sort());
  });

  it("for the states of transfers", () => {
    expect(allowed("withdrawals", "transfer_state_is_known")).toEqual([...transferState.options].sort());
  });

  it("for the subjects and causes of events", () => {
    expect(allowed("event_types", "subject_is_known")).toEqual([...event.shape.subject.options].sort());
    expect(allowed("events", "cause_is_known")).toEqual([...event.shape.cause.options].sort());
  });

  it("for the lists whose views are saved", () => {
    expect(allowed("saved_views", "page_is_known")).toEqual([...savedViewPage.options].sort());
  });

  it("for the designs of posters, of the store and of a product", () => {
    for (const each of ["settings", "products"]) expect(allowed(each, "poster_design_is_known")).toEqual([...posterDesign.options].sort());
  });

  it("for task types", () => {
    expect(allowed("agent_level_tasks", "type_is_known")).toEqual([...taskType.options].sort());
    expect(Object.keys(agentLevel.shape.tasks.shape).sort()).toEqual([...taskType.options].sort());
  });
});
