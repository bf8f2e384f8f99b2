import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Refusal } from "./session.ts";

/** Why signing in or up was refused, and what to do. */
export function RefusalBox({ refusal }: { refusal: Refusal | undefined }) {
  const { t } = useTranslation("session");
  if (!refusal) return null;
  return (
    <div className="failure" role="alert">
      <CircleAlert size={20} aria-hidden />
      <div><strong>{t(`refused.${refusal}.title`)}</strong><p>{t(`refused.${refusal}.advice`)}</p></div>
    </div>
  );
}
