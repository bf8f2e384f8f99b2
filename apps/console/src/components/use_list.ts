import { keepPreviousData, type UseQueryResult } from "@tanstack/react-query";
import type { AdminRoutes } from "../../../client/index.ts";
import { useAdmin } from "../store/store.ts";
import { idOf } from "./ids.ts";
import { type ListState, useListState } from "./list_state.ts";
import { useStoreDays } from "./store_day.ts";

type AdminReads = AdminRoutes["GET"];

/** A list of `adminapi`. The table reads single pages, an export all pages. */
export interface ListSource {
  path: keyof AdminReads;
  params: { path?: Record<string, unknown>; query?: Record<string, unknown> };
}

type Page<Path extends keyof AdminReads> = AdminReads[Path]["response"];
type ListPath = {
  [Path in keyof AdminReads]: Page<Path> extends { list: object[]; count: number } ? Path : never;
}[keyof AdminReads];
type Params<Path extends ListPath> = AdminReads[Path]["request"];
type Query<Path extends ListPath> = NonNullable<Params<Path>["query"]>;

const readText = {
  text: (text: string) => text,
  number: Number,
  boolean: (text: string) => text === "true",
  /** An id, such as a uid. Other texts filter nothing. */
  id: idOf,
};

/** How the text of a filter in the URL becomes a parameter of the query. `from` and `to` are business days. */
type Reading<Name, Value> = Name extends "from" | "to"
  ? "day"
  : Value extends string
    ? "text"
    : Value extends number
      ? "number" | "id"
      : Value extends boolean
        ? "boolean"
        : never;
type Filters<Path extends ListPath> = {
  [Name in Exclude<keyof Query<Path>, "page" | "limit" | "cursor" | "sort">]?: Reading<
    Name,
    NonNullable<Query<Path>[Name]>
  >;
};

interface ListOptions<Path extends ListPath> {
  /** The filters by their names in the URL, which are those of the query. */
  filters?: Filters<Path>;
  /** What is the same for all pages, such as the member of the list. */
  params?: Pick<Params<Path>, "path"> & { query?: Query<Path> };
  isSorted?: "sort" extends keyof Query<Path> ? true : never;
  refetchInterval?: number;
}

/** The options say whose list it is, if the path does. */
type Options<Path extends ListPath> =
  Params<Path> extends { path: object }
    ? [options: ListOptions<Path> & { params: object }]
    : [options?: ListOptions<Path>];

/** A list: its filters with their state, what `DataTable` shows, and where an export reads all pages. */
interface List<Path extends ListPath> {
  state: ListState;
  /** The names of the filters. */
  names: readonly string[];
  result: UseQueryResult<Page<Path> | undefined, unknown>;
  source: ListSource;
}

/** Reads a page of a list of `adminapi`. Page, sorting and filters are those of the URL. */
export function useList<Path extends ListPath>(path: Path, ...[options]: Options<Path>): List<Path> {
  const { filters = {}, params, isSorted, refetchInterval }: ListOptions<Path> = options ?? {};
  const state = useListState();
  const readings = filters as Record<string, keyof typeof readText | "day">;
  const dayOf = (name: "from" | "to") => (readings[name] === "day" ? state.get(name) : "");
  const days = useStoreDays(dayOf("from"), dayOf("to"));
  const filtered = Object.entries(readings).flatMap(([name, reading]): [string, unknown][] => {
    const text = state.get(name);
    const value = text === "" || reading === "day" ? undefined : readText[reading](text);
    return value === undefined ? [] : [[name, value]];
  });
  const source = {
    path,
    params: {
      ...params,
      query: {
        ...params?.query,
        page: state.page,
        limit: state.rows,
        ...(Object.fromEntries(filtered) as Record<string, unknown>),
        ...(isSorted && state.get("sort") && { sort: state.get("sort") }),
        ...days,
      },
    },
  };
  const result = useAdmin(path as "/adminapi/order", { params: source.params } as never, {
    placeholderData: keepPreviousData,
    enabled: days !== undefined,
    ...(refetchInterval && { refetchInterval }),
  });
  return { state, names: Object.keys(readings), result, source };
}
