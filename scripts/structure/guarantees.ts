import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { files, objects } from "./sql_source.ts";

/** The document of the guarantees. People write its headings, each of which is a subject, and its prose. */
export const guaranteesDocument = join(projectRoot, "docs/guarantees.md");

/** What the store promises, what makes it true, and the tests that fail without it. */
export interface Guarantee {
  /** The name by which further tests refer to it, such as `money/order-paid-once`. */
  name: string;
  /** The heading of its section in docs/guarantees.md. */
  subject: string;
  promise: string;
  /** In Markdown. Each object of the database has the file in which it stands. */
  mechanism: string;
  /**
   * The tests by file, first that of the declaration. The name of a test in SQL is that of its file. Only `npm run
   * test:full` runs those of `longForm`.
   */
  tests: { file: string; names: string[]; longForm: string[] }[];
}

/** A test with the lines of the comment right above it, without their marks. */
interface CommentedTest {
  file: string;
  /** Undefined for a test in SQL. */
  name: string | undefined;
  isLongForm: boolean;
  comment: string[];
}

/** A part of the comment above a test: the declaration of a guarantee, or a reference to one, which has no promise. */
interface Tag {
  name: string;
  promise: string | undefined;
  mechanism: string | undefined;
  test: CommentedTest;
}

const markOf = { ts: "// ", sql: "-- " };

/** The lines of a text that begin with a mark, without it. */
const linesWith = (mark: string, text: string) =>
  text.split("\n").flatMap((line) => (line.trimStart().startsWith(mark) ? [line.trimStart().slice(mark.length)] : []));

/** A test in SQL is a file, whose comment is its head. */
const testOfSql = (file: string, text: string): CommentedTest => ({
  file,
  name: undefined,
  isLongForm: false,
  comment: linesWith(markOf.sql, /^(?:--.*\n)*/.exec(text)![0]),
});

function testsOfTypeScript(file: string, text: string): CommentedTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: CommentedTest[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const [name] = node.expression.arguments;
      const above = text.slice(node.pos, node.getStart()).split(/\n\s*\n/);
      const comment = linesWith(markOf.ts, above.at(-1)!);
      if (name && ts.isStringLiteral(name) && comment.length > 0 && /^(it|test|skipFor\(it)\b/.test(node.getText()))
        found.push({
          file,
          name: name.text,
          isLongForm: node.getText().startsWith("skipFor(it, longFormOnly)"),
          comment,
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function tagsOf(test: CommentedTest): Tag[] {
  const tags: Tag[] = [];
  for (const line of test.comment) {
    const [, name, promise] = /^Guarantee ([a-z]+\/[\w-]+)(?:: (.+))?$/.exec(line) ?? [];
    const tag = tags.at(-1);
    if (name) tags.push({ name, promise, mechanism: undefined, test });
    else if (!tag) continue;
    else if (tag.promise === undefined)
      throw new Problem(`${test.file}: a text follows the reference to ${tag.name}.`, "Put it above the reference.");
    else if (line.startsWith("By: ")) tag.mechanism = line.slice("By: ".length);
    else if (tag.mechanism === undefined) tag.promise += ` ${line}`;
    else tag.mechanism += ` ${line}`;
  }
  return tags;
}

/**
 * The tags of a file of tests. Throws a Problem if a line begins with Guarantee and is none: it has another form, or
 * stands above no test.
 */
export function tagsIn(file: string, text: string): Tag[] {
  const isSql = file.endsWith(".sql");
  const written = linesWith(isSql ? markOf.sql : markOf.ts, text).filter((line) => line.startsWith("Guarantee "));
  if (written.length === 0) return [];
  const tests = isSql ? [testOfSql(file, text)] : testsOfTypeScript(file, text);
  const tags = tests.flatMap(tagsOf);
  if (tags.length !== written.length)
    throw new Problem(
      `${file}: ${written.length} lines begin with Guarantee, and only ${tags.length} can be read.`,
      "Write `Guarantee subject/name: promise` or `Guarantee subject/name` right above a test, or at the head of a file in SQL.",
    );
  return tags;
}

/** The tags of all tests, in the order of their files. */
function allTags(): Tag[] {
  const paths = ["test", "supabase/tests"].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return paths
    .filter((path) => /\.test\.(ts|sql)$/.test(path))
    .sort()
    .flatMap((path) => tagsIn(path, readFileSync(join(projectRoot, path), "utf8")));
}

/** The file of each object of the database. */
const homes = new Map(
  files.flatMap(({ path, text }) => objects(text).map(({ schema, name }) => [`${schema}.${name}`, `sql/${path}`])),
);

/** The file in which an object stands, or the table of a column. */
function fileOf(object: string): string {
  const file = homes.get(/^\w+\.\w+/.exec(object)![0]);
  if (!file) throw new Problem(`A guarantee names ${object}, which sql/ does not create.`, "Correct its mechanism.");
  return file;
}

/** A mechanism in Markdown. Of neighbours that stand in the same file, the last one has the file. */
function inMarkdown(mechanism: string): string {
  const names = /`[^`]*`|\b(?:app|api)\.\w+(?:\.\w+)?|\b(?:sql|functions|scripts|apps|docs|supabase|test)\/[\w./-]*\w/g;
  return mechanism
    .replaceAll(names, (name) => {
      if (name.startsWith("`")) return name;
      return name.includes("/") ? `\`${name}\`` : `\`${name}\` in \`${fileOf(name)}\``;
    })
    .replaceAll(/ in (`[^`]+`)(?=(?:,| and|, and) `[\w.]+` in \1)/g, "");
}

const byFile = (tags: Tag[]): Guarantee["tests"] =>
  [...new Set(tags.map(({ test }) => test.file))].map((file) => {
    const tests = tags.map(({ test }) => test).filter((test) => test.file === file);
    return {
      file,
      names: tests.flatMap(({ name }) => name ?? []),
      longForm: tests.flatMap(({ name, isLongForm }) => (isLongForm ? name! : [])),
    };
  });

/**
 * The subjects, in the order of the document. The first word of a heading begins the names of its guarantees: those of
 * `## Rules of commission and points` are `rules/…`.
 */
function readSubjects(): { title: string; word: string }[] {
  const headings = readFileSync(guaranteesDocument, "utf8").matchAll(/^## ((\w+).*)$/gm);
  return [...headings].map(([, title, word]) => ({ title: title!, word: word!.toLowerCase() }));
}

/** The guarantees, in the order of the subjects and of their names. */
export function readGuarantees(): Guarantee[] {
  const tags = allTags();
  const subjects = readSubjects();
  const rank = (name: string) => subjects.findIndex(({ word }) => word === name.split("/")[0]);
  const declarations = tags.filter(({ promise }) => promise !== undefined);
  for (const tag of tags) {
    const declared = declarations.filter(({ name }) => name === tag.name);
    if (declared.length !== 1)
      throw new Problem(
        `${declared.length} tests declare ${tag.name}, which ${tag.test.file} names.`,
        "Let one test declare it, with its promise.",
      );
    if (rank(tag.name) === -1)
      throw new Problem(
        `No heading of docs/guarantees.md begins with the subject of ${tag.name} (${tag.test.file}).`,
        "Use the first word of a heading, in lower case.",
      );
  }
  return declarations
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name, "en", { numeric: true }))
    .map((declaration) => {
      const { name, promise, mechanism, test } = declaration;
      if (mechanism === undefined)
        throw new Problem(
          `${name} has no mechanism (${test.file}).`,
          "Write a line `By: mechanism` below its promise.",
        );
      const others = tags.filter((tag) => tag.name === name && tag !== declaration);
      return {
        name,
        subject: subjects[rank(name)]!.title,
        promise: promise!,
        mechanism: inMarkdown(mechanism),
        tests: byFile([declaration, ...others]),
      };
    });
}
