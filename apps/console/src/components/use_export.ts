import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../shared/read_file.ts";
import { useStore } from "../store/store.ts";
import type { Column } from "./column.ts";
import { toCsv } from "./csv.ts";
import { notify, notifyFailure } from "./notify.ts";
import { readAll } from "./read_all.ts";
import { todayIn } from "./store_day.ts";
import { useStoreZone } from "./store_zone.ts";
import type { ListSource } from "./use_list.ts";
import { useWriteValue } from "./write_value.ts";
import { toXlsx } from "./xlsx.ts";

/** No more rows are exported at once. */
export const mostRows = 100_000;
const writers = { csv: toCsv, xlsx: toXlsx };
export type FileFormat = keyof typeof writers;

const fileName = (name: string, day: string, format: FileFormat) => `${name.replaceAll(" ", "_")}_${day}.${format}`;

export interface Exported<Row> {
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
}

/** Reads all rows and saves them as a file. @returns how many there are */
export type SaveRows = (format: FileFormat, signal: AbortSignal, onRead: (rows: number) => void) => Promise<number>;

export function useSaveRows<Row>({ name, columns, rowId, rows, count, source }: Exported<Row>): SaveRows {
  const { admin } = useStore();
  const write = useWriteValue();
  const timeZone = useStoreZone() ?? "UTC";
  return async (format, signal, onRead) => {
    const all = source && rows.length < count ? await readAll(admin, source, rowId, signal, onRead) : rows;
    saveFile(await writers[format](columns, all, write), fileName(name, todayIn(timeZone, Date.now()), format));
    return all.length;
  };
}

/** An export that runs: how many of its rows have been read. */
export interface RunningExport {
  done: number;
  count: number;
}

/** Runs one export at a time, which can be stopped. */
export function useExport() {
  const { t } = useTranslation("common");
  const [running, setRunning] = useState<RunningExport>();
  const aborter = useRef<AbortController>(undefined);

  async function run(save: SaveRows, count: number, format: FileFormat) {
    const { signal } = (aborter.current = new AbortController());
    setRunning({ done: 0, count });
    try {
      notify(t("export.done", { count: await save(format, signal, (done) => setRunning({ done, count })) }));
    } catch (error) {
      if (signal.aborted) return;
      notifyFailure(error);
    } finally {
      setRunning(undefined);
    }
  }
  return { run, running, stop: () => aborter.current?.abort() };
}
