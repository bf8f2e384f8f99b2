/** A part of a site that did not arrive: no connection, or files that a newer build has replaced. */
export class PageNotLoaded extends Error {}

/** Loads a part of a site when it is needed. @throws PageNotLoaded */
export function load<Part>(part: () => Promise<Part>): () => Promise<Part> {
  return () =>
    part().catch((cause: unknown) => {
      throw new PageNotLoaded("A file of the site could not be loaded.", { cause });
    });
}
