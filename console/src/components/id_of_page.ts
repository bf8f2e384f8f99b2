import { useParams } from "react-router";

/** The id in the URL of a page; undefined if it is not a valid id. */
export function useIdOfPage(name: string): number | undefined {
  const text = useParams()[name] ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
