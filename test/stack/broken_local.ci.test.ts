import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedInstall } from "../../scripts/postgres/embedded.ts";
import { preferredPostgres } from "../../scripts/postgres/choice.ts";
import type { PostgresKind } from "../../scripts/ground/state.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { newState, writeState } from "../../scripts/ground/state.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";

let at: CommandPlace;
beforeEach(async () => {
  at = await newCommandPlace();
});
afterEach(() => at.remove());

/** Creates the files of a stack that was set up before, with data of a given version of Postgres. */
function leaveData(version: string | undefined, postgres: PostgresKind = "installed"): void {
  const data = at.place.postgresData;
  mkdirSync(data);
  if (version) writeFileSync(join(data, "PG_VERSION"), `${version}\n`);
  writeState(at.place, { ...newState(), ready: true, data_directory: data, postgres });
}

async function expectFailure(message: string): Promise<void> {
  const { code, output } = await at.run("start", "--no-demo");
  expect(output).toContain(message);
  expect(output).toContain("npm start -- --reset");
  expect(output).not.toContain("Unexpected error");
  expect(code).toBe(1);
}

describe("npm start with unusable local data names the problem and how to start over", () => {
  it("when state.json is not JSON", async () => {
    writeFileSync(at.place.stateFile, "{ not json");
    await expectFailure("is damaged");
  });

  it("when state.json is JSON without a state", async () => {
    writeFileSync(at.place.stateFile, "[]");
    await expectFailure("is damaged");
  });

  it("when the data were created by another version of Postgres", async () => {
    leaveData("9.6");
    await expectFailure("created by Postgres 9.6");
  });

  it("when the data are missing", async () => {
    leaveData(undefined);
    await expectFailure("missing or damaged");
  });

  it("when the folder is a file", async () => {
    rmSync(at.place.directory, { recursive: true });
    writeFileSync(at.place.directory, "");
    await expectFailure("cannot be used");
  });

  it("but never suggests deleting the data because Postgres does not start", async () => {
    const { kind } = preferredPostgres();
    const install = kind === "embedded" ? embeddedInstall() : findInstall();
    leaveData(String(install?.major), kind);
    const { code, output } = await at.run("start", "--no-demo");
    expect([code, output]).toEqual([1, expect.stringContaining("Postgres exited with status")]);
    // The data may be the only copy.
    expect(output).toContain(at.place.postgresData);
    expect(output).not.toContain("--reset");
  });
});

describe("settings", () => {
  it("a PORT that is not a number is rejected", async () => {
    at.environment.PORT = "80 80";
    expect(await at.run("start")).toMatchObject({
      code: 1,
      output: expect.stringContaining("PORT=80 80 is not a port number"),
    });
  });

  it("a DATABASE_URL whose role is not a superuser is rejected", async () => {
    at.environment.DATABASE_URL = "postgresql://nobody:x@127.0.0.1:1/postgres";
    expect(await at.run("start")).toMatchObject({ code: 1, output: expect.stringContaining("cannot be used") });
  });
});
