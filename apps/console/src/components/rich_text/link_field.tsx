import { Button, Group, TextInput } from "@mantine/core";
import type { Editor } from "@tiptap/react";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { allowedAddress } from "../../../../../functions/_shared/html/allowed_html.ts";

/**
 * Links what is selected, or changes or removes the link there. Without a selection, the address itself becomes the
 * text.
 */
export function LinkField({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { t } = useTranslation("writing");
  const [address, setAddress] = useState(() => String(editor.getAttributes("link").href ?? ""));
  const href = address.trim();
  const isAllowed = allowedAddress.test(href);

  function apply(): void {
    if (!isAllowed) return;
    const change = editor.chain().focus().extendMarkRange("link");
    if (href === "") change.unsetLink().run();
    else if (editor.state.selection.empty && !editor.isActive("link"))
      change.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    else change.setLink({ href }).run();
    onClose();
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Of the form and the drawer around it.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") apply();
    else {
      editor.commands.focus();
      onClose();
    }
  }

  return (
    <Group p="xs" gap="xs" align="flex-end" onKeyDown={press}>
      <TextInput
        label={t("link.address")}
        description={t("link.meaning")}
        value={address}
        error={!isAllowed && t("link.wrong")}
        onChange={(event) => setAddress(event.currentTarget.value)}
        inputMode="url"
        data-autofocus
        autoFocus
        flex={1}
      />
      <Button variant="default" onClick={apply}>
        {t("link.apply")}
      </Button>
    </Group>
  );
}
