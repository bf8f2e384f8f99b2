import { Button, Group, Progress, Text } from "@mantine/core";
import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../shared/read_file.ts";
import { useStore } from "../store/store.ts";
import { fileFormats } from "./download_button.tsx";
import { toCsv } from "./csv.ts";
import { toXlsx } from "./xlsx.ts";
import { formatCount } from "./figures.tsx";
import type { Column } from "./column.ts";
import { notify, notifyFailure } from "./notify.ts";
import { readAll } from "./read_all.ts";
import { todayIn } from "./store_day.ts";
import { useStoreZone } from "./store_zone.ts";
import type { ListSource } from "./use_list.ts";
import { useWriteValue } from "./write_value.ts";

const mostRows = 100_000;
const writers = { csv: toCsv, xlsx: toXlsx };

const fileName = (name: string, day: string, format: string) => `${name.replaceAll(" ", "_")}_${day}.${format}`;

interface ExportButtonProps<Row> {
  /** The file name without extension. */
  name: string;
  /** The name of the exported list, for screen readers. */
  label: string;
  columns: Column<Row>[];
  rowId: (row: Row) => string | number;
  /** The rows that are shown. */
  rows: Row[];
  count: number;
  /** Where to read all rows, if the shown rows may not be all. */
  source?: ListSource | undefined;
  /** Whether the rows are those that are chosen in a list, beside the button for the whole list. */
  isSelection?: true;
}

/** Reads all matching rows, page by page, and downloads them as a file of either format. Can be cancelled. */
export function ExportButton<Row>({
  name,
  label,
  columns,
  rowId,
  rows,
  count,
  source,
  isSelection,
}: ExportButtonProps<Row>) {
  const { t } = useTranslation("common");
  const { admin } = useStore();
  const write = useWriteValue();
  const timeZone = useStoreZone() ?? "UTC";
  const [done, setDone] = useState<number>();
  const stop = useRef<AbortController>(undefined);

  async function run(format: keyof typeof writers) {
    const { signal } = (stop.current = new AbortController());
    setDone(0);
    try {
      const all = source && rows.length < count ? await readAll(admin, source, rowId, signal, setDone) : rows;
      saveFile(await writers[format](columns, all, write), fileName(name, todayIn(timeZone, Date.now()), format));
      notify(t("export.done", { count: all.length }));
    } catch (error) {
      if (signal.aborted) return;
      notifyFailure(error);
    } finally {
      setDone(undefined);
    }
  }

  if (done !== undefined) {
    return (
      <Group gap="xs" role="status">
        <Progress value={(done / Math.max(count, 1)) * 100} w={120} aria-label={t("export.running")} />
        <Text size="sm" className="figures">
          {t("export.reading", { done: formatCount(done), all: formatCount(count) })}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => stop.current?.abort()}>
          {t("export.stop")}
        </Button>
      </Group>
    );
  }
  const isTooLong = count > mostRows;
  const textOf = (format: keyof typeof writers) => t(isSelection ? `export.selected.${format}` : `export.${format}`);
  return fileFormats.map((format) => (
    <Button
      key={format}
      aria-label={`${textOf(format)}: ${label}`}
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<Download size={16} aria-hidden />}
      onClick={() => void run(format)}
      disabled={isTooLong}
      title={isTooLong ? t("export.tooMany", { most: formatCount(mostRows) }) : undefined}
    >
      {textOf(format)}
    </Button>
  ));
}
