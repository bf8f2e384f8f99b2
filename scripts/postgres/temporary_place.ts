import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeData } from "./cluster.ts";
import { currentOwner, takeOwnership } from "../ground/owner.ts";
import { localDirectory, StackPlace } from "../ground/paths.ts";
import { anyInstall } from "./choice.ts";

const folder = join(localDirectory, "test");

async function remove(place: StackPlace): Promise<void> {
  for (const each of [place, place.embedded]) await removeData(each, anyInstall());
  rmSync(place.directory, { recursive: true, force: true });
}

/** Removes the folders of runs that were killed. */
async function removeAbandonedPlaces(): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const place = new StackPlace(join(folder, name));
    if (!currentOwner(place)) await remove(place);
  }
}

/** Runs `work` with a temporary folder for a stack, which is removed afterwards. */
export async function withTemporaryPlace<T>(work: (place: StackPlace) => Promise<T>): Promise<T> {
  await removeAbandonedPlaces();
  const place = new StackPlace(join(folder, `run-${process.pid}`));
  takeOwnership(place, "");
  try {
    return await work(place);
  } finally {
    await remove(place);
  }
}
