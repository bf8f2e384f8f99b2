import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Chunk, chunksFrom, type ReadLines, serveFile } from "./serve_file.ts";
import { bilingual } from "../words/bilingual.ts";

/** What a route that returns a JSON file of records declares. */
export function recordsFile(name: string) {
  const response = z
    .strictObject({
      records: z.array(z.strictObject({ table: z.string(), record: z.record(z.string(), z.unknown()).nullable() })),
    })
    .openapi({
      description: bilingual(
        "A row of a table for each record. If an error occurs after the first records, the connection ends without the end of the response.",
        "每条记录为某个表的一行。若在发送首批记录之后出错，连接会在响应完成前中断。",
      ),
    });
  return { records: { name }, response };
}

/**
 * Responds with a JSON file of records (see serve_file.ts). Its lines are JSON texts, which are passed on unchanged:
 * parsing would lose digits of exact numbers.
 */
export async function serveRecords(c: Context, name: string, read: ReadLines): Promise<Response> {
  const first = JSON.parse(await read(null)) as Chunk<string>;
  return serveFile(c, `${name}.json`, textsOf(first, read), { "content-type": "application/json; charset=utf-8" });
}

async function* textsOf(first: Chunk<string>, read: ReadLines): AsyncGenerator<string, void> {
  yield '{"records":[';
  let separator = "";
  for await (const lines of chunksFrom(first, read)) {
    yield `${separator}\n${lines.join(",\n")}`;
    separator = ",";
  }
  yield "\n]}\n";
}
