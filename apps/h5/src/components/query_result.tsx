import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureBox } from "./failure_box.tsx";
import { Loading } from "./loading.tsx";

interface QueryResultProps<Data> {
  of: Pick<UseQueryResult<Data, unknown>, "data" | "error" | "refetch">;
  /** The height of the placeholder, in rows. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/**
 * Shows the result of a query: a placeholder while it loads, an error, or the data. If only a reload fails, the loaded
 * data stay visible. Without a connection, the layout says from when they are.
 */
export function QueryResult<Data>({ of: { data, error, refetch }, rows, children }: QueryResultProps<Data>) {
  return (
    <>
      <FailureBox error={data !== undefined && !navigator.onLine ? undefined : error} onRetry={() => void refetch()} />
      {data === undefined ? !error && <Loading {...(rows && { rows })} /> : children(data)}
    </>
  );
}
