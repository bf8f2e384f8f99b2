import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcome } from "../../functions/adminapi/routes/payments.ts";
import { billRow, billType } from "../../functions/_shared/resources/bill.ts";
import { transferState } from "../../functions/_shared/resources/withdrawals.ts";
import { agentLevel, taskType } from "../../functions/_shared/resources/levels.ts";

/** The values that a constraint `check (column in (…))` of a table allows. */
function allowed(file: string, constraint: string): string[] {
  const source = readFileSync(join(import.meta.dirname, "../../sql/2_tables", file), "utf8");
  const [, list] = new RegExp(`constraint ${constraint} check \\(\\s*\\w+ in \\(([^)]*)\\)`).exec(source) ?? [];
  return [...(list ?? "").matchAll(/'(\w+)'/g)].map(([, value]) => value!).sort();
}

describe("the values that the database allows are those that the API declares", () => {
  it("for bill types and their sources", () => {
    expect(allowed("12_user_bill.sql", "type_is_known")).toEqual([...billType.options].sort());
    expect(allowed("12_user_bill.sql", "source_is_known")).toEqual([...billRow.shape.source.options].sort());
  });

  it("for the outcomes of notifications of payment providers", () => {
    expect(allowed("24_payment_notifications.sql", "outcome_is_known")).toEqual([...outcome.options].sort());
  });

  it("for the states of transfers", () => {
    expect(allowed("11_withdrawals.sql", "transfer_state_is_known")).toEqual([...transferState.options].sort());
  });

  it("for task types", () => {
    expect(allowed("03_agent_level_tasks.sql", "type_is_known")).toEqual([...taskType.options].sort());
    expect(Object.keys(agentLevel.shape.tasks.shape).sort()).toEqual([...taskType.options].sort());
  });
});
