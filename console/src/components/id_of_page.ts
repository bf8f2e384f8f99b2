import { useParams } from "react-router";

/** The id in the address of a page; undefined where there is something else. */
export function useIdOfPage(name: string): number | undefined {
  const text = useParams()[name] ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
