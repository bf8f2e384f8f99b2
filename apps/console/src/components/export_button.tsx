import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import { useContext, useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { fileFormats } from "./download_button.tsx";
import { Offers } from "./export_menu.tsx";
import { ExportProgress } from "./export_progress.tsx";
import { formatCount } from "./figures.tsx";
import { type Exported, mostRows, useExport, useSaveRows } from "./use_export.ts";

/**
 * Reads all matching rows, page by page, and downloads them as a file of either format. Can be cancelled. On a page with
 * one menu for its exports, it is there.
 */
export function ExportButton<Row>({
  isSelection,
  ...exported
}: Exported<Row> & {
  /** Whether the rows are those that are chosen in a list, beside the button for the whole list. */
  isSelection?: true;
}) {
  const { label, count } = exported;
  const { t } = useTranslation("common");
  const save = useSaveRows(exported);
  const { run, running, stop } = useExport();
  const offers = useContext(Offers);
  const id = useId();
  useEffect(() => void offers?.set(id, { label, count, save }));
  useEffect(() => () => void offers?.delete(id), [offers, id]);
  if (offers) return null;
  if (running) return <ExportProgress of={running} onStop={stop} />;
  const isTooLong = count > mostRows;
  return fileFormats.map((format) => {
    const text = t(isSelection ? `export.selected.${format}` : `export.${format}`);
    return (
      <Button
        key={format}
        aria-label={`${text}: ${label}`}
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => void run(save, count, format)}
        disabled={isTooLong}
        title={isTooLong ? t("export.tooMany", { most: formatCount(mostRows) }) : undefined}
      >
        {text}
      </Button>
    );
  });
}
