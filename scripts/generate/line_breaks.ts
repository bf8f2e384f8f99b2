import { withConnection } from "../postgres/database_server.ts";

interface Routine {
  name: string;
  definition: string;
}

function routines(url: string): Promise<Routine[]> {
  return withConnection(
    url,
    (sql) => sql<Routine[]>`
      select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
      from pg_proc as p
      where p.pronamespace::regnamespace::text in ('app', 'api', 'entry', 'compacted') and p.prokind in ('f', 'p')`,
  );
}

/**
 * A definition in one line: each comment ends with a line break, a comment of several lines is one, and white space
 * counts only within texts.
 */
export function inOneLine(definition: string): string {
  const joined = definition.replaceAll(/^[ \t]*--.*(?:\n[ \t]*--.*)+/gm, (comment) =>
    comment.replaceAll(/\n[ \t]*--[ \t]*/g, " "),
  );
  return joined
    .split(/('(?:[^']|'')*'|--[^\n]*\n)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")"),
    )
    .join("");
}

/**
 * Gives the functions of a database the line breaks of those of another, where they differ in nothing else, so that no
 * migration creates a function anew for its line breaks.
 */
export async function keepLineBreaks(from: string, to: string): Promise<void> {
  const [before, after] = await Promise.all([routines(from), routines(to)]);
  const former = new Map(before.map(({ name, definition }) => [name, definition]));
  const rewritten = after.flatMap(({ name, definition }) => {
    const known = former.get(name);
    return known !== undefined && known !== definition && inOneLine(known) === inOneLine(definition) ? [known] : [];
  });
  await withConnection(to, async (sql) => {
    await sql.unsafe(["set check_function_bodies = off", ...rewritten].join(";\n"));
  });
}
