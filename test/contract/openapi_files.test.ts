import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { openapiFiles } from "../../scripts/generate/openapi_files.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { stack } from "../support/index.ts";

const files = await openapiFiles();
const names = files.map(({ path }) => relative(projectRoot, path));

describe("the files generated from the routes", () => {
  it.each(files.map((file, index) => [names[index]!, file] as const))("%s is up to date", (name, { path, content }) => {
    expect(readFileSync(path, "utf8") === content, `${name} is out of date; run: npm run gen`).toBe(true);
  });

  it.each(["api", "adminapi"])(
    "functions/%s/openapi.json equals the document that the running function serves",
    async (name) => {
      const served = await (await fetch(`${stack().functions_url}/${name}/openapi.json`)).json();
      expect(JSON.parse(readFileSync(`${projectRoot}/functions/${name}/openapi.json`, "utf8"))).toEqual(served);
    },
  );
});

describe("the OpenAPI documents", () => {
  it.each(
    files
      .filter(({ path }) => path.endsWith("openapi.json"))
      .map(({ path, content }) => [relative(projectRoot, path), JSON.parse(content)] as const),
  )("%s names every operation once and describes every response", (_name, document) => {
    const operations = Object.values<Record<string, { operationId: string; responses: Record<string, unknown> }>>(
      document.paths,
    ).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(10);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, responses } of operations)
      expect(
        Object.keys(responses).some((status) => status.startsWith("2")),
        operationId,
      ).toBe(true);
  });
});
