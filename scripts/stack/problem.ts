/** Something the person at the terminal can mend: printed as message and advice, without a stack trace. */
export class Problem extends Error {
  constructor(
    message: string,
    /** What to do next. */
    readonly advice: string,
  ) {
    super(message);
    this.name = "Problem";
  }
}

/** Prints an error the way its kind deserves: a {@link Problem} as two sentences, anything else with its stack. */
export function printError(error: unknown): void {
  if (error instanceof Problem) {
    console.error(`\n${error.message}\n${error.advice}`);
  } else {
    console.error("\nUnexpected error, please report it:");
    console.error(error);
  }
}
