import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureBox } from "./failure_box.tsx";
import { Loading } from "./loading.tsx";

interface QueryResultProps<Data> {
  of: Pick<UseQueryResult<Data, unknown>, "data" | "error" | "refetch">;
  /** How much room to keep while it loads. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** What has been read, or that it is on its way, or why it could not be read. Older data stay in sight when reading them anew fails. */
export function QueryResult<Data>({ of: { data, error, refetch }, rows, children }: QueryResultProps<Data>) {
  return (
    <>
      <FailureBox error={error} onRetry={() => void refetch()} />
      {data === undefined ? !error && <Loading {...(rows && { rows })} /> : children(data)}
    </>
  );
}
