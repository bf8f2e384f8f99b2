import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { Fragment, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import styles from "./endless_list.module.css";
import { FailureBox } from "./failure_box.tsx";
import { Loading } from "./loading.tsx";
import { useNear } from "./use_near.ts";

interface EndlessListProps<Item> {
  of: UseInfiniteQueryResult<InfiniteData<{ list: Item[] }>, unknown>;
  label: string;
  className: string | undefined;
  idOf: (item: Item) => number | string;
  row: (item: Item, position: number, previous: Item | undefined) => ReactNode;
  empty: ReactNode;
  /** The placeholder while the first page is loading. */
  loading?: ReactNode;
}

/**
 * Reads a list whose pages name the next one by a cursor.
 * @param read gets the query of the next page: empty for the first one
 */
export function useCursorList<Page extends { list: unknown[]; next_cursor: string | null }>(
  queryKey: string[],
  read: (next: { cursor?: string }) => Promise<Page>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor }) => read(cursor === "" ? {} : { cursor }),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** Reads a list whose pages have numbers, until it has read as many items as the list counts. */
export function useNumberedList<Page extends { list: unknown[]; count: number }>(
  queryKey: string[],
  read: (next: { page: number }) => Promise<Page>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: page }) => read({ page }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => {
      const count = pages.reduce((sum, { list }) => sum + list.length, 0);
      return last.list.length > 0 && count < last.count ? pages.length + 1 : undefined;
    },
  });
}

/**
 * A list that loads the next page when its end becomes visible. A button does the same, without scrolling and after a
 * failure.
 */
export function EndlessList<Item>({ of: query, label, className, idOf, row, empty, loading }: EndlessListProps<Item>) {
  const { t } = useTranslation("common");
  const end = useRef<HTMLDivElement>(null);
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = query;
  const readsOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;

  useNear(end, 400, readsOn, () => void fetchNextPage());

  if (!data) return error ? <FailureBox error={error} onRetry={() => void refetch()} /> : (loading ?? <Loading />);
  // A row that was added in the meantime moves others to the next page.
  const items = [...new Map(data.pages.flatMap(({ list }) => list).map((item) => [idOf(item), item])).values()];
  // A page before the end may be empty.
  if (items.length === 0 && !hasNextPage) return <>{empty}</>;
  return (
    <>
      <ul className={className} aria-label={label}>
        {items.map((item, position) => (
          <Fragment key={idOf(item)}>{row(item, position, items[position - 1])}</Fragment>
        ))}
      </ul>
      {/* Without a connection, the layout says from when the entries are. */}
      <FailureBox
        error={isFetchNextPageError || navigator.onLine ? error : undefined}
        onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
      />
      <div ref={end} className={styles.end}>
        {hasNextPage ? (
          <Button
            fill="none"
            loading={isFetchingNextPage}
            loadingText={t("loading")}
            onClick={() => void fetchNextPage()}
          >
            {t("loadMore")}
          </Button>
        ) : (
          <p className="weak">{t("end")}</p>
        )}
      </div>
    </>
  );
}
