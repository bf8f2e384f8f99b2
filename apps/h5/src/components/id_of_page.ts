import { useParams } from "react-router";

/** The id at the end of the page's address. For an id that does not exist, the store returns an error. */
export function useIdOfPage(): number {
  return Number(useParams().id);
}
