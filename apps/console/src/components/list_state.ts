import { useEffect, useRef } from "react";
import { useLocation, useSearchParams } from "react-router";

/** Page, sorting and filters of a list. They are part of the URL, so that it can be shared and Back works. */
export interface ListState {
  page: number;
  /** The rows of a page. */
  rows: number;
  /** The value of a filter; empty if it is not set. */
  get(name: string): string;
  /** Sets filters and returns to the first page. An empty value removes a filter. */
  set(values: Record<string, string>): void;
  setPage: (page: number) => void;
  setRows: (rows: number) => void;
  /** Whether any filter of these names is set. */
  hasAny(names: readonly string[]): boolean;
}

const lastSearches = new Map<string, string>();

/** The filters that the list of a path had last, as a part of its address. */
export const lastSearchOf = (path: string): string => lastSearches.get(path) ?? "";

/** The numbers of rows that a page may have, the usual one first. */
export const pageSizes = [20, 50, 100];

/** The last page that the store accepts. */
const lastPage = 1_000_000;

export function useListState(): ListState {
  const [parameters, setParameters] = useSearchParams();
  const { pathname, search } = useLocation();
  useEffect(() => void lastSearches.set(pathname, search), [pathname, search]);
  // Two filters may be applied before the next render, so the second must start from the first.
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
    rows: pageSizes.find((rows) => String(rows) === parameters.get("rows")) ?? pageSizes[0]!,
    get: (name) => parameters.get(name) ?? "",
    set: (values) => change({ page: "", ...values }),
    setPage: (page) => change({ page: page === 1 ? "" : String(page) }),
    setRows: (rows) => change({ page: "", rows: rows === pageSizes[0] ? "" : String(rows) }),
    hasAny: (names) => names.some((name) => parameters.has(name)),
  };
}
