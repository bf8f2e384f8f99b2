import { Button, Group, Progress, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, answerOf } from "../../../../client/index.ts";
import { tell } from "../../parts/tell.ts";
import { failureOf } from "../../store/failure.ts";
import { useStore } from "../../store/store.tsx";

interface LogQuery {
  uid?: number;
  date_from?: string;
  date_to?: string;
}

const mostRows = 100_000;
const rowsPerRequest = 100;
const columns = ["id", "uid", "nickname", "frozen_before", "release_points", "frozen_after", "release_date", "add_time"] as const;

/** A file that spreadsheets open: names of fields first, formulas in names of members made harmless, UTF-8 with its mark. */
async function toCsv(rows: Admin["Release"][]): Promise<Blob> {
  const { unparse } = (await import("papaparse")).default;
  const text = unparse(rows, { columns: [...columns], escapeFormulae: true });
  return new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" });
}

function download(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Reads all rows that match, page after page, and hands them over as a file. Can be stopped. */
export function ExportButton({ query, count }: { query: LogQuery; count: number }) {
  const { t } = useTranslation("releaseLog");
  const { admin } = useStore();
  const [done, setDone] = useState<number>();
  const stop = useRef<AbortController>(undefined);

  async function run() {
    const { signal } = (stop.current = new AbortController());
    const rows: Admin["Release"][] = [];
    setDone(0);
    try {
      let cursor: string | undefined;
      do {
        const page = await answerOf(admin.GET("/adminapi/hjf/points/release_log", { params: { query: { ...query, limit: rowsPerRequest, ...(cursor && { cursor }) } }, signal }));
        rows.push(...page.list);
        setDone(rows.length);
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      download(await toCsv(rows), `release_log_${new Date().toISOString().slice(0, 10)}.csv`);
      tell(t("exported", { count: rows.length }));
    } catch (error) {
      if (signal.aborted) return;
      const { title, detail } = failureOf(error);
      notifications.show({ title, message: detail, color: "red", autoClose: false });
    } finally {
      setDone(undefined);
    }
  }

  if (done !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Progress value={(done / Math.max(count, 1)) * 100} w={120} aria-label={t("export")} />
        <Text size="sm" className="figures">{t("exporting", { done, all: count })}</Text>
        <Button size="xs" variant="default" onClick={() => stop.current?.abort()}>{t("stop")}</Button>
      </Group>
    );
  }
  const isTooLong = count > mostRows;
  return (
    <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={run} disabled={count === 0 || isTooLong} title={isTooLong ? t("tooMany", { most: mostRows }) : undefined}>
      {t("export")}
    </Button>
  );
}
