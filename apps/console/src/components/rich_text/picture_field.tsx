import { TextInput } from "@mantine/core";
import { type Editor, useEditorState } from "@tiptap/react";
import { useTranslation } from "react-i18next";

/** What the selected picture shows. */
export function PictureField({ editor }: { editor: Editor }) {
  const { t } = useTranslation("writing");
  const selected = useEditorState({
    editor,
    selector: ({ editor: current }) =>
      current.isActive("image") ? String(current.getAttributes("image").alt ?? "") : undefined,
  });
  if (selected === undefined) return null;
  return (
    <TextInput
      p="xs"
      label={t("picture.alt")}
      description={t("picture.altMeaning")}
      value={selected}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => {
        const { from } = editor.state.selection;
        editor.chain().updateAttributes("image", { alt: value }).setNodeSelection(from).run();
      }}
    />
  );
}
