import { useRef } from "react";
import { useSearchParams } from "react-router";

/** Page, sorting and filters of a list, kept in the address: it can be shared, and Back goes back. */
export interface ListState {
  page: number;
  /** The value of a filter; empty where it is not set. */
  get(name: string): string;
  /** Sets filters; an empty value removes one. The list begins at its first page again. */
  set(values: Record<string, string>): void;
  setPage: (page: number) => void;
  /** Whether any filter of these names is set. */
  hasAny(names: readonly string[]): boolean;
}

/** The last that the store takes. */
const lastPage = 1_000_000;

export function useListState(): ListState {
  const [parameters, setParameters] = useSearchParams();
  // Two filters may be applied before the page is drawn again: the second builds on the first.
  const latest = useRef(parameters);
  latest.current = parameters;
  const change = (values: Record<string, string>) => {
    const next = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(values)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    latest.current = next;
    setParameters(next, { replace: true });
  };
  return {
    page: Math.min(Math.max(1, Math.trunc(Number(parameters.get("page"))) || 1), lastPage),
    get: (name) => parameters.get(name) ?? "",
    set: (values) => change({ page: "", ...values }),
    setPage: (page) => change({ page: page === 1 ? "" : String(page) }),
    hasAny: (names) => names.some((name) => parameters.has(name)),
  };
}
