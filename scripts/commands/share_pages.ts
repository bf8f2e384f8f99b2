import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { writeSharePages } from "../generate/share_pages.ts";
import { Problem, printError } from "../ground/problem.ts";

/** @throws InvalidArgumentError unless it is the address of a folder */
function siteAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new InvalidArgumentError("It must be the address of the H5 app, such as https://shop.example.com/.");
  return url.href.replace(/\/?$/, "/");
}

const command = describeCommand({
  usage: "npm run share:pages --",
  summary: `Writes a page for each product on sale, and one for the store, beside the H5 app: with the tags from which other apps show a preview of
a link, and a script that opens the app with the referrer of the link. Set "share_pages": true in the config.json of the app then.`,
  notes: "Exit status 1 if the store does not answer. With --every, the command goes on, and tries again.",
})
  .argument("<folder>", "the folder of the H5 app, with its config.json")
  .argument("<address>", "the address of the H5 app", siteAddress)
  .option("--every <seconds>", "look again for changes after this time, until Ctrl-C", wholeNumber(86_400));

/** The address of the edge functions, from the configuration of the app. */
function functionsUrlOf(folder: string, address: string): string {
  try {
    const { supabase_url } = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { supabase_url: string };
    return `${new URL(supabase_url, address).href.replace(/\/$/, "")}/functions/v1`;
  } catch {
    throw new Problem(
      `There is no config.json with a supabase_url in ${folder}.`,
      "Name the folder of the H5 app (apps/h5/README.md).",
    );
  }
}

async function run(folder: string, address: string, { every }: { every?: number }): Promise<void> {
  const functionsUrl = functionsUrlOf(folder, address);
  const write = async () => {
    const written = await writeSharePages(folder, address, functionsUrl).catch((error: unknown) => {
      throw new Problem(
        `The store at ${functionsUrl} does not answer: ${String(error)}`,
        "Check supabase_url in config.json.",
      );
    });
    if (written > 0 || every === undefined) console.log(`Files written: ${written}`);
  };
  if (every === undefined) return write();
  for (;;) {
    await write().catch(printError);
    await pause(every * 1000);
  }
}

await runCommandLine(command, run);
