import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { currentOwner, waitUntilStopped } from "../ground/owner.ts";
import { localDirectory, StackPlace } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";

const stopSeconds = 60;

const command = describeCommand({
  usage: "npm stop",
  summary: "Stops the local stack and waits until it has stopped. The data are kept.",
  notes: "STORE_LOCAL_DIR   folder of the stack (.local)",
});

async function stop(): Promise<void> {
  const place = new StackPlace(localDirectory);
  const owner = currentOwner(place);
  if (!owner) return console.log("The stack is not running.");
  process.kill(owner.pid, "SIGTERM");
  if (await waitUntilStopped(place, stopSeconds)) {
    throw new Problem(
      `The stack (process ${owner.pid}) did not stop within ${stopSeconds} seconds.`,
      `Check the logs in ${place.logs}, then terminate the process: kill ${owner.pid}`,
    );
  }
  console.log("Stopped.");
}

await runCommandLine(command, stop);
