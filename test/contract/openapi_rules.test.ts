import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";

// A rule of redocly.yaml that is written wrongly reports nothing.

// deno-lint-ignore no-explicit-any
type Document = any;

const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });
const header = { name: "x-token", in: "header", schema: { type: "string" } };

/** Errors in different places of the document of members: the rule, the place that it reports, and the error. */
const PLANTED: [rule: string, place: string, plant: (document: Document) => unknown][] = [
  [
    "rule/security-scheme-is-bearer",
    "#/components/securitySchemes/bearer/scheme",
    ({ components }) => (components.securitySchemes.bearer.scheme = "basic"),
  ],
  [
    "rule/security-scheme-is-bearer",
    "#/components/securitySchemes/key/scheme",
    ({ components, paths }) => {
      components.securitySchemes.key = { type: "apiKey", in: "query", name: "key" };
      paths["/api/user"].get.security = [{ key: [] }];
    },
  ],
  [
    "rule/no-credential-in-address",
    "#/paths/~1api~1first_page/get/parameters/0/name",
    ({ paths }) => (paths["/api/first_page"].get.parameters = [query("access_token"), header]),
  ],
  [
    "rule/no-address-as-parameter",
    "#/paths/~1api~1product/get/parameters/0/name",
    ({ paths }) => (paths["/api/product"].get.parameters = [query("callback_url"), query("url")]),
  ],
  [
    "response-contains-header",
    "#/paths/~1api~1bill/get/responses/429/headers",
    ({ paths, components }) => (paths["/api/bill"].get.responses["429"] = components.responses.Problem),
  ],
  [
    "rule/refusals-are-documented",
    "#/paths/~1api~1user~1session/get/responses",
    ({ paths }) => delete paths["/api/user/session"].get.responses["401"],
  ],
  [
    "rule/refusals-are-documented",
    "#/paths/~1api~1address/get/responses",
    ({ paths }) => delete paths["/api/address"].get.responses["500"],
  ],
  [
    "rule/wrong-values-are-documented",
    "#/paths/~1api~1prospects~1month/get/responses",
    ({ paths }) => delete paths["/api/prospects/month"].get.responses["422"],
  ],
  [
    "operation-tag-defined",
    "#/paths/~1api~1statement/get/tags/0",
    ({ paths }) => (paths["/api/statement"].get.tags = ["Unknown"]),
  ],
  ["security-defined", "#/paths/~1api~1prospects/get", ({ paths }) => delete paths["/api/prospects"].get.security],
];

it("the rules for OpenAPI documents find the errors that they are for, and nothing else", async () => {
  const document: Document = JSON.parse(readFileSync(join(projectRoot, "functions/api/openapi.json"), "utf8"));
  for (const [, , plant] of PLANTED) plant(document);
  const folder = mkdtempSync(join(tmpdir(), "store-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, JSON.stringify(document));
    const { stdout } = await runCommand(
      process.execPath,
      [
        join(projectRoot, "node_modules/@redocly/cli/bin/cli.js"),
        ...["lint", file, "--format=json", "--config", join(projectRoot, "redocly.yaml")],
      ],
      { env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
    );
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; location: { pointer: string }[] }[] };
    const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`);
    expect(found.sort()).toEqual(PLANTED.map(([rule, place]) => `${rule} ${place}`).sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
