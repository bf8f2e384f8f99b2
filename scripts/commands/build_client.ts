import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { buildClient } from "../release/client_package.ts";

const command = describeCommand({
  usage: "npm run client:build",
  summary:
    "Compiles the client into apps/client/dist: JavaScript and declarations of its types. `npm pack ./apps/client` does it, too.",
});

await runCommandLine(command, buildClient);
