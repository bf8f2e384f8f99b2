import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it, vi } from "vitest";
import { withoutSyncVariable } from "../../scripts/postgres/cluster.ts";
import { withTemporaryPlace } from "../../scripts/postgres/temporary_place.ts";
import { skipFor } from "../support/index.ts";

const ROOM_BYTES = 6 * 1024 ** 3;

function lacksRoom(): string | undefined {
  if (!existsSync("/dev/shm")) return "this system has no /dev/shm";
  const { bavail, bsize } = statfsSync("/dev/shm");
  return Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES
    ? "this machine has too little memory"
    : undefined;
}

const folderOfRun = async (withoutSync: string) => {
  vi.stubEnv(withoutSyncVariable, withoutSync);
  const folder = await withTemporaryPlace(
    async ({ directory }) => (expect(existsSync(directory)).toBe(true), directory),
  );
  expect(existsSync(folder)).toBe(false);
  return folder;
};

skipFor(it, lacksRoom())(
  "a test run is in memory, unless its servers wait for the disk, and is removed at its end",
  async () => {
    expect(await folderOfRun("1")).toMatch(/^\/dev\/shm\//);
    expect(await folderOfRun("")).not.toMatch(/^\/dev\/shm\//);
  },
);

skipFor(it, lacksRoom())("the temporary files of npm test are beside its stack", () => {
  if (process.env[withoutSyncVariable] === "1") expect(tmpdir()).toMatch(/^\/dev\/shm\/store-\w+\/run-\d+\/tmp$/);
});
