import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { serveCsv } from "../../functions/_shared/files/serve_csv.ts";
import { serveXlsx } from "../../functions/_shared/files/serve_xlsx.ts";

const file = { name: "numbers", columns: [{ key: "n", title: { en: "Number", zh: "数字" } }] };

/** Serves a file of a few chunks of one line each, and counts how many were read. */
function serve(chunks: number, valueOf: (chunk: number) => string = String) {
  const state = { read: 0 };
  const app = new Hono<{ Variables: { requestId: string } }>();
  app.use((c, next) => (c.set("requestId", "request-1"), next()));
  app.get("/", (c) =>
    serveCsv(c, file, async () => {
      state.read += 1;
      return JSON.stringify({
        lines: [{ n: valueOf(state.read) }],
        next_cursor: state.read < chunks ? String(state.read) : null,
      });
    }),
  );
  return { state, response: app.request("/") };
}

describe("a CSV file", () => {
  it("is read from the database only as fast as the client takes it", async () => {
    const { state, response } = serve(1000);
    const reader = (await response).body!.getReader();
    for (let taken = 1; taken <= 5; taken += 1) {
      await reader.read();
      expect(state.read).toBeLessThanOrEqual(taken);
    }
    await reader.cancel();
    expect(state.read).toBeLessThan(6);
  });

  it("ends with an error if a later chunk fails", async () => {
    const { response } = serve(3, (chunk) => {
      if (chunk === 3) throw new Error("the database is gone");
      return "1";
    });
    const sent = await response;
    expect(sent.status).toBe(200);
    await expect(sent.text()).rejects.toThrow("the database is gone");
  });

  it("escapes formulas, and quotes commas and line ends", async () => {
    const values = ["=1+1", "a,b", "-12.50", "a\nb", "+8613800000000", "+1+1"];
    const { response } = serve(6, (chunk) => values[chunk - 1]!);
    expect(await (await response).text()).toBe(
      'Number\r\n"\'=1+1"\r\n"a,b"\r\n-12.50\r\n"a\nb"\r\n+8613800000000\r\n"\'+1+1"\r\n',
    );
  });
});

describe("a workbook of the lines of a CSV file", () => {
  const rowsOf = (chunks: number, mostRows: number) => {
    const app = new Hono<{ Variables: { requestId: string } }>();
    app.use((c, next) => (c.set("requestId", "request-1"), next()));
    let read = 0;
    app.get("/", (c) =>
      serveXlsx(
        c,
        file,
        async () =>
          JSON.stringify({ lines: [{ n: "1" }, { n: "2" }], next_cursor: (read += 1) < chunks ? String(read) : null }),
        mostRows,
      ),
    );
    return app.request("/");
  };

  it("has as many rows as a sheet can have, and ends with an error if there are more", async () => {
    expect((await (await rowsOf(2, 5)).arrayBuffer()).byteLength).toBeGreaterThan(1000);
    const sent = await rowsOf(3, 6);
    expect(sent.status).toBe(200);
    await expect(sent.arrayBuffer()).rejects.toThrow("A sheet has at most 6 rows.");
  });
});
