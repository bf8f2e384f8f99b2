import { ActionIcon, Anchor, CopyButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

const shownDigits = 6;

/** Copies a text. @param label says which */
export function CopyText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation("lists");
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon
          className="copy-button"
          variant="subtle"
          color={copied ? "green" : "gray"}
          size={24}
          aria-label={copied ? t("copied") : label}
          title={label}
          onClick={copy}
        >
          {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/**
 * The last digits of a long number, by which people find it. The tooltip, a screen reader and paper have the whole, and
 * a button copies it.
 */
export function LongNumber({ number, to }: { number: string; to?: string }) {
  const { t } = useTranslation("lists");
  const digits = number.slice(-shownDigits);
  const shown = (
    <span className="long-number">
      <span>{number.slice(0, -shownDigits)}</span>
      {digits}
    </span>
  );
  return (
    <span className="figures" title={number}>
      {to === undefined ? (
        shown
      ) : (
        <Anchor component={Link} to={to} size="sm" aria-label={`${digits} (${number})`}>
          {shown}
        </Anchor>
      )}
      <CopyText text={number} label={t("copy", { number })} />
    </span>
  );
}
