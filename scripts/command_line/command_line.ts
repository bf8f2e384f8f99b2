import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { printError } from "../ground/problem.ts";

/** The exit status for unknown or invalid arguments. The command has done nothing then. */
const usageError = 2;
/** The exit status of a shell for a program that SIGPIPE ended. */
const brokenPipe = 141;

export interface CommandText {
  /** The command as it is typed: `npm run simulate --`. */
  usage: string;
  /** One paragraph, which the help breaks into lines. */
  summary: string;
  /** Text of the help below the options: environment variables, exit statuses. */
  notes?: string;
}

/** Creates a command, which handles --help and rejects unknown options and arguments. */
export function describeCommand({ usage, summary, notes }: CommandText): Command {
  const command = new Command(usage)
    .description(summary.replaceAll("\n", " "))
    .addHelpOption(new Option("-h, --help", "show this help"))
    .helpCommand(false)
    .allowExcessArguments(false)
    .showHelpAfterError("Run the command with --help to see its options and arguments.")
    .exitOverride();
  return notes ? command.addHelpText("after", `\n${notes}`) : command;
}

/**
 * Parses the arguments of this process and runs the command.
 * @param work receives the arguments one by one, then the options. It returns the exit status; undefined means 0
 * @param failed the exit status if `work` throws
 */
export async function runCommandLine(
  command: Command,
  work: (...args: never[]) => Promise<number | void> | number | void,
  failed = 1,
): Promise<void> {
  // A reader that has seen enough, such as `head`, ends the command as it ends any program of a pipeline.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? brokenPipe : failed));
  try {
    command.action(async (...args: unknown[]) => {
      process.exitCode = (await work(...(args as never[]))) ?? 0;
    });
    await command.parseAsync();
  } catch (error) {
    const isUsage = error instanceof CommanderError;
    if (!isUsage) printError(error);
    process.exitCode = !isUsage ? failed : error.exitCode === 0 ? 0 : usageError;
  }
}

/** Creates a parser for an option that is a positive integer of at most `maximum`. */
export function wholeNumber(maximum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < 1 || number > maximum)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
    return number;
  };
}
