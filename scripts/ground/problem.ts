/** An error that the user can fix. It is printed as a message and advice, without a stack trace. */
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

/** Prints an error: a {@link Problem} as message and advice, any other error with its stack trace. */
export function printError(error: unknown): void {
  if (error instanceof Problem) {
    console.error(`\n${error.message}\n${error.advice}`);
  } else {
    console.error("\nUnexpected error, please report it:");
    console.error(error);
  }
}
