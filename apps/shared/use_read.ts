import { useQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import type { Calls, Input, Routes } from "../client/calls.ts";
import { unwrap } from "../client/index.ts";

/** Reads a path of an edge function. Components that read the same share one request. */
type UseRead<Reads extends Routes["GET"]> = <Path extends keyof Reads & string, Data = Reads[Path]["response"]>(
  path: Path,
  ...input: [
    ...Input<Reads[Path]["request"]>,
    options?: Omit<UseQueryOptions<Reads[Path]["response"], unknown, Data>, "queryKey" | "queryFn">,
  ]
) => UseQueryResult<Data, unknown>;

/** Creates the hook that reads an edge function. @param useCalls returns its client */
export function createUseRead<All extends Routes>(useCalls: () => Calls<All, Response>): UseRead<All["GET"]> {
  return (path, ...[init, options]) => {
    const { GET } = useCalls();
    return useQuery({
      queryKey: [path, init],
      queryFn: ({ signal }) => unwrap(GET(path, ...([{ ...init, signal }] as never))),
      ...options,
    });
  };
}
