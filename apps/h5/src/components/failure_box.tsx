import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../shared/failure.ts";
import { Button } from "./button.tsx";
import styles from "./failure.module.css";
import { Failure } from "./failure.tsx";

interface FailureBoxProps {
  error: unknown;
  onRetry?: () => void;
}

/** Shows an error and what to do next. Renders nothing without an error. */
export function FailureBox({ error, onRetry }: FailureBoxProps) {
  const { t } = useTranslation("common");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!error) return null;
  const { title, detail, requestId, passing, fields } = failureOf(error);
  const ofFields = Object.values(fields);
  return (
    <Failure title={title} ref={box}>
      <p>{ofFields.length > 0 ? ofFields.join(" ") : detail}</p>
      {requestId && <p className={styles.requestId}>{t("requestId", { id: requestId })}</p>}
      {onRetry && passing && (
        <Button size="small" onClick={onRetry}>
          {t("tryAgain")}
        </Button>
      )}
    </Failure>
  );
}
