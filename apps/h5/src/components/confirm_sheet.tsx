import { useTranslation } from "react-i18next";
import { Button } from "./button.tsx";
import { FailureBox } from "./failure_box.tsx";
import layout from "../../../shared/member_styles/layout.module.css";
import { Sheet } from "./sheet.tsx";

interface ConfirmSheetProps {
  title: string;
  text: string;
  action: string;
  isDanger?: boolean;
  isPending: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** A confirm dialog for an action that cannot be undone. It stays open and shows the error if the action fails. */
export function ConfirmSheet({
  title,
  text,
  action,
  isDanger,
  isPending,
  error,
  onConfirm,
  onClose,
}: ConfirmSheetProps) {
  const { t } = useTranslation("common");
  return (
    <Sheet title={title} onClose={onClose}>
      <div className={layout.stack}>
        <p>{text}</p>
        <FailureBox error={error} />
        <div className={layout.buttonRow}>
          <Button block onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button block color={isDanger ? "danger" : "primary"} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}
