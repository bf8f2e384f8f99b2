import { ActionIcon } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";

interface MoveButtonsProps {
  /** What is moved, for screen readers. */
  title: string;
  /** Where it stands, from 0 on, in a list of so many entries. */
  at: number;
  count: number;
  isBusy?: boolean;
  onMove: (by: -1 | 1) => void;
}

/** Moves an entry of a list up or down. */
export function MoveButtons({ title, at, count, isBusy = false, onMove }: MoveButtonsProps) {
  const { t } = useTranslation("lists");
  return (
    <>
      <ActionIcon
        variant="default"
        aria-label={t("move.up", { title })}
        disabled={at === 0 || isBusy}
        onClick={() => onMove(-1)}
      >
        <ArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t("move.down", { title })}
        disabled={at === count - 1 || isBusy}
        onClick={() => onMove(1)}
      >
        <ArrowDown size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
