import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./icon_button.tsx";
import styles from "./sheet.module.css";

interface SheetProps {
  title: string;
  /** Without it, the sheet cannot be closed by the user. */
  onClose?: () => void;
  children: ReactNode;
}

/**
 * A dialog at the bottom of the window. The `<dialog>` of the browser traps the focus, restores it and hides the page
 * from screen readers.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const { t } = useTranslation("common");
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        // A click outside the content hits the dialog element itself.
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 id={heading}>{title}</h2>
          {onClose && <IconButton label={t("close")} icon={X} size={22} onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}
