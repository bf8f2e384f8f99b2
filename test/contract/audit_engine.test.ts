import { expect, it } from "vitest";
import { readEngine } from "../../scripts/audit/engine.ts";
import { auditEngine } from "../../scripts/generate/audit_engine.ts";
import { cloneDatabase } from "../support/index.ts";

// Guarantee money/auditor-bundle
it("the committed types and functions by which an auditor decides match the migrations", async () => {
  const { url, drop } = await cloneDatabase();
  try {
    const [committed, migrated] = [readEngine(), await auditEngine(url)];
    expect([...committed.keys()].toSorted(), "scripts/audit/engine is out of date; run: npm run gen").toEqual(
      [...migrated.keys()].toSorted(),
    );
    for (const [name, text] of migrated)
      expect(committed.get(name) === text, `${name} is out of date; run: npm run gen`).toBe(true);
  } finally {
    await drop();
  }
});
