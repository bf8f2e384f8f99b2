import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextArea } from "../../components/field.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { readAddress, type ReadAddress } from "./read_address.ts";
import { loadRegions } from "./regions.ts";

/** Recognises name, phone and address in one text: as soon as it is pasted, or by a button if it was typed. */
export function PasteField({ onRead }: { onRead: (address: ReadAddress) => void }) {
  const { t } = useTranslation("addresses");
  const [text, setText] = useState("");
  const read = useMutation({
    networkMode: "always",
    mutationFn: async (whole: string) => readAddress(whole, await loadRegions()),
    onSuccess: (address) => {
      if (Object.keys(address).length === 0) return;
      setText("");
      onRead(address);
    },
  });
  return (
    <div className={layout.stack}>
      <FailureBox error={read.error} />
      <TextArea
        label={t("paste.title")}
        hint={t("paste.hint")}
        error={read.data && Object.keys(read.data).length === 0 ? t("paste.nothing") : undefined}
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onPaste={({ clipboardData }) => read.mutate(clipboardData.getData("text"))}
      />
      {text.trim() !== "" && (
        <Button block shape="rounded" loading={read.isPending} onClick={() => read.mutate(text)}>
          {t("paste.fill")}
        </Button>
      )}
    </div>
  );
}
