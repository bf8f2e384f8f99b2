import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { printError } from "../stack/problem.ts";

/** The exit status of a command that was given something it does not know. Nothing has happened then. */
const misused = 2;

export interface CommandText {
  /** As people type it: `npm run simulate --`. */
  usage: string;
  summary: string;
  /** What the help says below the options: environment variables, exit statuses. */
  notes?: string;
}

/** Describes a command. It answers --help and refuses options and arguments that it was not told of. */
export function describeCommand({ usage, summary, notes }: CommandText): Command {
  const command = new Command(usage)
    .description(summary)
    .addHelpOption(new Option("-h, --help", "show this"))
    .helpCommand(false)
    .allowExcessArguments(false)
    .showHelpAfterError("Run the command with --help to see what it takes.")
    .exitOverride();
  return notes ? command.addHelpText("after", `\n${notes}`) : command;
}

/**
 * Parses the arguments of this process and does the work of the command with them.
 * @param work gets the arguments one by one, then the options; returns the exit status, 0 unless it says otherwise
 * @param failed the exit status when the work throws
 */
export async function runCommandLine(command: Command, work: (...given: never[]) => Promise<number | void> | number | void, failed = 1): Promise<void> {
  try {
    command.action(async (...given: unknown[]) => {
      process.exitCode = (await work(...(given as never[]))) ?? 0;
    });
    await command.parseAsync();
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (!isUsage) printError(error);
    process.exitCode = !isUsage ? failed : error.exitCode === 0 ? 0 : misused;
  }
}

/** Reads an option that counts something. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return number;
  };
}
