import { useParams } from "react-router";

/** The number at the end of the page's address. The store says that there is nothing under one that is none. */
export function useIdOfPage(): number {
  return Number(useParams().id);
}
