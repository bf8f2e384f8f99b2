import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeData } from "./cluster.ts";
import { currentOwner, takeOwnership } from "./owner.ts";
import { localDirectory, StackPlace } from "./paths.ts";
import { findInstall } from "./postgres_install.ts";

const folder = join(localDirectory, "test");

async function remove(place: StackPlace): Promise<void> {
  await removeData(place, findInstall());
  rmSync(place.directory, { recursive: true, force: true });
}

/** Removes what runs left behind that were killed before they could do it themselves. */
async function removeDeadPlaces(): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const place = new StackPlace(join(folder, name));
    if (!currentOwner(place)) await remove(place);
  }
}

/** A place for a stack that lasts as long as `work` does and leaves nothing behind. */
export async function withTemporaryPlace<T>(work: (place: StackPlace) => Promise<T>): Promise<T> {
  await removeDeadPlaces();
  const place = new StackPlace(join(folder, `run-${process.pid}`));
  takeOwnership(place, "");
  try {
    return await work(place);
  } finally {
    await remove(place);
  }
}
