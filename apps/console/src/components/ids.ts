import { useParams } from "react-router";

/** The id that a text in a URL is; undefined if it is not a valid id. */
export function idOf(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The id in the URL of a page; undefined if it is not a valid id. */
export function useIdOfPage(name: string): number | undefined {
  return idOf(useParams()[name] ?? "");
}
