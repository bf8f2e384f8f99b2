/** The part of Deno's global object that the entry points use. */
declare const Deno: { env: { get(name: string): string | undefined } };
