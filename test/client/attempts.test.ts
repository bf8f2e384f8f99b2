import { describe, expect, it } from "vitest";
import { createAttempts } from "../../apps/client/attempts.ts";
import type { Reply } from "../../apps/client/calls.ts";

/** What the next requests meet, in order: no response, or a response with this status and code. */
type Outcome = "lost" | [status: number, code: string];

/** A store that notes the keys of the writes. */
function storeOf(...outcomes: Outcome[]) {
  let keys = 0;
  const attempt = createAttempts(() => `key ${(keys += 1)}`);
  const sent: string[] = [];
  const write = (input: unknown) =>
    attempt(input, ({ headers }) => {
      sent.push(headers["Idempotency-Key"]);
      const outcome = outcomes.shift() ?? [200, ""];
      if (outcome === "lost") return Promise.reject(new TypeError("Failed to fetch"));
      const [status, code] = outcome;
      const response = {};
      return Promise.resolve(
        (status < 300
          ? { data: "done", response }
          : { error: { status, code, detail: "" }, response }) as unknown as Reply<string>,
      );
    });
  return { write, sent };
}

describe("a write", () => {
  it.each<[string, Outcome]>([
    ["its response is lost", "lost"],
    ["the store fails", [500, "internal_error"]],
    ["its first attempt is still on its way in the store", [409, "idempotency_key_in_use"]],
  ])("keeps its key if %s", async (_kind, outcome) => {
    const { write, sent } = storeOf(outcome);
    await expect(write({ a: 1 })).rejects.toThrow();
    await expect(write({ a: 1 })).resolves.toBe("done");
    expect(sent).toEqual(["key 1", "key 1"]);
  });

  it("has another key after a success, after an error that is final, and with another input", async () => {
    const { write, sent } = storeOf([200, ""], [422, "out_of_stock"], "lost");
    await write({ a: 1 });
    await expect(write({ a: 1 })).rejects.toThrow("out_of_stock");
    await expect(write({ a: 1 })).rejects.toThrow("fetch");
    await write({ a: 2 });
    expect(sent).toEqual(["key 1", "key 2", "key 3", "key 4"]);
  });

  it("is sent once by two calls at the same time", async () => {
    const { write, sent } = storeOf();
    expect(await Promise.all([write({ a: 1 }), write({ a: 1 })])).toEqual(["done", "done"]);
    expect(sent).toEqual(["key 1"]);
  });
});
