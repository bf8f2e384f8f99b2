import { Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RichTextInputProps } from "./rich_text/field.tsx";
import { load } from "../../../shared/load_page.ts";

/** Of the texts of articles and products, and of nothing else: a chunk of its own. */
const Field = lazy(load(() => import("./rich_text/field.tsx")));

/** A text with headings, lists, links and pictures. */
export function RichTextInput({ value, onChange, ...others }: RichTextInputProps) {
  const { t } = useTranslation("common");
  // What comes from elsewhere, such as a restored draft, is opened anew.
  const [written, setWritten] = useState({ value, opening: 0 });
  if (value !== written.value) setWritten({ value, opening: written.opening + 1 });
  const write = (next: string) => {
    setWritten({ ...written, value: next });
    onChange(next);
  };
  return (
    <Suspense fallback={<Skeleton height={280} role="status" aria-label={t("loading")} />}>
      <Field key={written.opening} value={value} onChange={write} {...others} />
    </Suspense>
  );
}
