import type { RichTextEditorLabels } from "@mantine/tiptap";
import { useTranslation } from "react-i18next";

/** The names of the buttons that the component library brings. */
export function useLabels(): Partial<RichTextEditorLabels> {
  const { t } = useTranslation("writing");
  return {
    boldControlLabel: t("controls.bold"),
    italicControlLabel: t("controls.italic"),
    underlineControlLabel: t("controls.underline"),
    strikeControlLabel: t("controls.strike"),
    clearFormattingControlLabel: t("controls.clearFormatting"),
    h2ControlLabel: t("controls.h2"),
    h3ControlLabel: t("controls.h3"),
    h4ControlLabel: t("controls.h4"),
    bulletListControlLabel: t("controls.bulletList"),
    orderedListControlLabel: t("controls.orderedList"),
    blockquoteControlLabel: t("controls.blockquote"),
    hrControlLabel: t("controls.hr"),
    undoControlLabel: t("controls.undo"),
    redoControlLabel: t("controls.redo"),
  };
}
