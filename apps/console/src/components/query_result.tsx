import { Skeleton, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureAlert } from "./failure_alert.tsx";

/**
 * Shows the result of a query: a placeholder while it loads, an error with a retry button, or `children`. If only a
 * reload fails, the loaded data stay below the error, including input in progress.
 */
export function QueryResult<Data>({
  of: { data, error, refetch },
  lines = 3,
  isReady = true,
  children,
}: {
  of: UseQueryResult<Data, unknown>;
  lines?: number;
  /** Whether the placeholder may go: what comes late would push what is read already. */
  isReady?: boolean;
  children: (data: NonNullable<Data>) => ReactNode;
}) {
  const { t } = useTranslation("common");
  const hasData = isReady && data !== undefined && data !== null;
  return (
    <>
      <FailureAlert error={error} onRetry={() => void refetch()} />
      {hasData && children(data)}
      {!hasData && !(error && isReady) && (
        <Stack gap="xs" role="status" aria-label={t("loading")}>
          {Array.from({ length: lines }, (_, line) => (
            <Skeleton key={line} height={18} />
          ))}
        </Stack>
      )}
    </>
  );
}
