import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findInstall } from "../../scripts/stack/postgres_install.ts";
import { newState, writeState } from "../../scripts/stack/state.ts";
import { type CommandPlace, newCommandPlace } from "./command.ts";

let at: CommandPlace;
beforeEach(async () => {
  at = await newCommandPlace();
});
afterEach(() => at.remove());

/** A stack that was ready once, with data that say they were made by a version of Postgres. */
function leaveData(version: string | undefined): void {
  const data = at.place.postgresData;
  mkdirSync(data);
  if (version) writeFileSync(join(data, "PG_VERSION"), `${version}\n`);
  writeState(at.place, { ...newState(), ready: true, data_directory: data });
}

async function expectRefusal(message: string): Promise<void> {
  const { code, output } = await at.run("start", "--no-demo");
  expect(output).toContain(message);
  expect(output).toContain("npm start -- --reset");
  expect(output).not.toContain("Unexpected error");
  expect(code).toBe(1);
}

describe("a start on what it cannot trust says how to start over", () => {
  it("when state.json is garbage", async () => {
    writeFileSync(at.place.stateFile, "{ not json");
    await expectRefusal("is damaged");
  });

  it("when state.json is JSON of something else", async () => {
    writeFileSync(at.place.stateFile, "[]");
    await expectRefusal("is damaged");
  });

  it("when the data are of another version of Postgres", async () => {
    leaveData("9.6");
    await expectRefusal("made by Postgres 9.6");
  });

  it("when the data are gone", async () => {
    leaveData(undefined);
    await expectRefusal("gone or damaged");
  });

  it("when the folder is a file", async () => {
    rmSync(at.place.directory, { recursive: true });
    writeFileSync(at.place.directory, "");
    await expectRefusal("cannot be used");
  });

  it("when its own database does not start", async () => {
    leaveData(String(findInstall()?.major));
    const { code, output } = await at.run("start", "--no-demo");
    expect([code, output]).toEqual([1, expect.stringContaining("Postgres ended with status")]);
    // These data may be all that somebody has.
    expect(output).toContain(at.place.postgresData);
    expect(output).not.toContain("--reset");
  });
});

describe("settings", () => {
  it("a port that is no number is refused", async () => {
    at.environment.PORT = "80 80";
    expect(await at.run("start")).toMatchObject({ code: 1, output: expect.stringContaining("PORT=80 80 is not a port number") });
  });

  it("DATABASE_URL of a role that is no superuser is refused", async () => {
    at.environment.DATABASE_URL = "postgresql://nobody:x@127.0.0.1:1/postgres";
    expect(await at.run("start")).toMatchObject({ code: 1, output: expect.stringContaining("cannot be used") });
  });
});
