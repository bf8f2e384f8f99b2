import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";

interface SheetProps {
  title: string;
  /** Without it, the sheet cannot be closed by the user. */
  onClose?: () => void;
  children: ReactNode;
}

/**
 * A dialog at the bottom of the window. The `<dialog>` of the browser traps the focus, restores it and hides the page from screen readers;
 * the popups of the component library do not.
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
      className="sheet"
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
      <div className="sheet-body">
        <div className="sheet-head">
          <h2 id={heading}>{title}</h2>
          {onClose && (
            <button type="button" className="icon-button" aria-label={t("close")} onClick={onClose}>
              <X size={22} aria-hidden />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  );
}
