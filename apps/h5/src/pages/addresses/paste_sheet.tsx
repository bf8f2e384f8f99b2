import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { TextArea } from "../../components/field.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Sheet } from "../../components/sheet.tsx";
import { readAddress, type ReadAddress } from "./read_address.ts";
import { loadRegions } from "./regions.ts";

interface PasteSheetProps {
  onRead: (address: ReadAddress) => void;
  onClose: () => void;
}

/** Recognises name, phone and address in one text. */
export function PasteSheet({ onRead, onClose }: PasteSheetProps) {
  const { t } = useTranslation("addresses");
  const [text, setText] = useState("");
  const read = useMutation({
    networkMode: "always",
    mutationFn: async () => readAddress(text, await loadRegions()),
    onSuccess: (address) => {
      if (Object.keys(address).length > 0) onRead(address);
    },
  });
  return (
    <Sheet title={t("paste.title")} onClose={onClose}>
      <div className={layout.stack}>
        <FailureBox error={read.error} />
        <TextArea
          label={t("paste.text")}
          hint={t("paste.hint")}
          error={read.data && Object.keys(read.data).length === 0 ? t("paste.nothing") : undefined}
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button
          block
          color="primary"
          shape="rounded"
          disabled={text.trim() === ""}
          loading={read.isPending}
          onClick={() => read.mutate()}
        >
          {t("paste.fill")}
        </Button>
      </div>
    </Sheet>
  );
}
