import { Button } from "@mantine/core";
import { Printer } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "../store/store.ts";
import { formatCount } from "./figures.tsx";
import { notifyFailure } from "./notify.ts";
import { readAll } from "./read_all.ts";
import type { ListSource } from "./use_list.ts";

const mostRows = 2_000;

interface PrintAllButtonProps<Row> {
  /** The name of the list, for screen readers. */
  label: string;
  rowId: (row: Row) => string | number;
  count: number;
  source: ListSource;
  /** Shows these rows instead of a page until they are printed. */
  onRead: (rows: Row[]) => void;
}

/** Reads all rows of a list of several pages, so that they are printed together. */
export function PrintAllButton<Row>({ label, rowId, count, source, onRead }: PrintAllButtonProps<Row>) {
  const { t } = useTranslation("common");
  const { admin } = useStore();
  const isReading = useRef(false);
  async function run() {
    if (isReading.current) return;
    isReading.current = true;
    try {
      onRead(await readAll(admin, source, rowId, AbortSignal.timeout(60_000), () => {}));
    } catch (error) {
      notifyFailure(error);
    } finally {
      isReading.current = false;
    }
  }
  const isTooLong = count > mostRows;
  return (
    <Button
      aria-label={`${t("print.all")}: ${label}`}
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<Printer size={16} aria-hidden />}
      onClick={() => void run()}
      disabled={isTooLong}
      title={isTooLong ? t("print.tooMany", { most: formatCount(mostRows) }) : undefined}
    >
      {t("print.all")}
    </Button>
  );
}
