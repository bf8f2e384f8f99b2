import type { Context } from "hono";
import { stateOf } from "../database/database_problem.ts";
import { log } from "../ground/log.ts";
import { respond } from "../responses/respond.ts";

/**
 * Returns the next lines of a file as JSON, `{lines, next_cursor}`. The cursor is null for the first lines, and after
 * the last ones.
 */
export type ReadLines = (cursor: string | null) => Promise<string>;

/** Some lines of a file. */
export interface Chunk<Line> {
  lines: Line[];
  next_cursor: string | null;
}

/** Yields the lines of each chunk, from the first one on. A chunk is read when the previous one has been taken. */
export async function* chunksFrom<Line>(first: Chunk<Line>, read: ReadLines): AsyncGenerator<Line[], void> {
  for (let chunk = first; ; chunk = JSON.parse(await read(chunk.next_cursor)) as Chunk<Line>) {
    if (chunk.lines.length > 0) yield chunk.lines;
    if (chunk.next_cursor === null) return;
  }
}

/**
 * Responds with a file that is written while it is read. Only one chunk is in memory: the next one is read when the
 * client has taken the previous one. An error breaks off the response, so that the client does not take it for a
 * complete file. The caller reads the first chunk before, so that an error in it is a problem response.
 */
export function serveFile(
  c: Context,
  name: string,
  parts: AsyncGenerator<string | Uint8Array, void>,
  headers: Record<string, string>,
): Response {
  const encoder = new TextEncoder();
  const requestId: string = c.get("requestId");
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await parts.next();
          if (done) controller.close();
          else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          log("error", "file broken off", {
            request_id: requestId,
            file: name,
            sqlstate: stateOf((error as Error).cause) || undefined,
            error: String(error),
          });
          controller.error(error);
        }
      },
      cancel: async () => {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
  return respond(c, body, 200, { "content-disposition": `attachment; filename="${name}"`, ...headers });
}
