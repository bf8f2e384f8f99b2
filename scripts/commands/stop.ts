import { currentOwner } from "../stack/owner.ts";
import { localDirectory, StackPlace } from "../stack/paths.ts";

const stopSeconds = 60;

const place = new StackPlace(localDirectory);
const owner = currentOwner(place);
if (!owner) {
  console.log("The stack is not running.");
} else {
  process.kill(owner.pid, "SIGTERM");
  const deadline = Date.now() + stopSeconds * 1000;
  while (currentOwner(place) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
  if (currentOwner(place)) {
    console.error(`The stack (process ${owner.pid}) did not stop within ${stopSeconds} seconds.\nLook at ${place.logs}, then end that process by hand: kill ${owner.pid}`);
    process.exitCode = 1;
  } else {
    console.log("Stopped.");
  }
}
