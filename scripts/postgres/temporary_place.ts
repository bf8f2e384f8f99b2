import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { join } from "node:path";
import { removeData, withoutSync } from "./cluster.ts";
import { currentOwner, takeOwnership } from "../ground/owner.ts";
import { localDirectory, StackPlace } from "../ground/paths.ts";
import { anyInstall } from "./choice.ts";

const onDisk = join(localDirectory, "test");

/** The memory of Linux as a folder. */
const memory = "/dev/shm";
/** The folder of this checkout in it. */
const inMemory = join(memory, `store-${createHash("sha256").update(localDirectory).digest("hex").slice(0, 8)}`);
/** More than twice what the tests with stores of their own were measured to need at the same time, 1.8 GB. */
const ROOM_BYTES = 5 * 1024 ** 3;

/**
 * Whether runs have their folders in memory: those of `npm test`, whose servers do not wait for the disk either. A copy
 * of a database is a thousand files, whose creation takes ten times as long on some disks.
 */
function fitsInMemory(): boolean {
  if (!withoutSync() || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES) return false;
  mkdirSync(inMemory, { recursive: true });
  // Everybody may write to the memory, so the folder may be that of somebody else.
  return lstatSync(inMemory).uid === process.getuid?.();
}

/**
 * Ends what killed tests have left mounted in a folder (scripts/faults/small_disk.ts): a folder with a mount cannot be
 * removed.
 */
function unmountBelow(folder: string): void {
  const mounts = existsSync("/proc/mounts") ? readFileSync("/proc/mounts", "utf8") : "";
  for (const line of mounts.split("\n")) {
    const mount = line.split(" ")[1] ?? "";
    if (mount.startsWith(`${folder}/`)) spawnSync("umount", ["--lazy", mount]);
  }
}

async function remove(place: StackPlace): Promise<void> {
  for (const each of [place, place.embedded]) await removeData(each, anyInstall());
  unmountBelow(place.directory);
  rmSync(place.directory, { recursive: true, force: true });
  try {
    rmdirSync(inMemory);
  } catch {
    // Another run of this checkout is in it, or there is none.
  }
}

/** Removes the folders of runs that were killed. */
async function removeAbandonedPlaces(): Promise<void> {
  for (const folder of [onDisk, inMemory].filter((each) => existsSync(each))) {
    for (const name of readdirSync(folder)) {
      const place = new StackPlace(join(folder, name));
      if (!currentOwner(place)) await remove(place);
    }
  }
}

/** Runs `work` with a temporary folder for a stack, which is removed afterwards. */
export async function withTemporaryPlace<T>(work: (place: StackPlace) => Promise<T>): Promise<T> {
  await removeAbandonedPlaces();
  const place = new StackPlace(join(fitsInMemory() ? inMemory : onDisk, `run-${process.pid}`));
  takeOwnership(place, "");
  try {
    return await work(place);
  } finally {
    await remove(place);
  }
}

/**
 * Lets this process and those that it starts create their temporary files beside the stack of a run, if that is in
 * memory.
 */
export function keepTemporaryFilesIn(place: StackPlace): void {
  if (!place.directory.startsWith(inMemory)) return;
  const folder = join(place.directory, "tmp");
  mkdirSync(folder);
  // As /tmp: the server's user has files there, too.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
}
