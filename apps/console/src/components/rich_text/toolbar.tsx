import { FileButton } from "@mantine/core";
import { RichTextEditor } from "@mantine/tiptap";
import { CodeXml, ImagePlus, Link2 } from "lucide-react";
import { useTranslation } from "react-i18next";

interface ToolbarProps {
  onPictures: (files: File[]) => void;
  onLink: () => void;
  onSource: () => void;
}

export function Toolbar({ onPictures, onLink, onSource }: ToolbarProps) {
  const { t } = useTranslation("writing");
  return (
    <RichTextEditor.Toolbar role="toolbar" aria-label={t("toolbar")}>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
        <RichTextEditor.Underline />
        <RichTextEditor.Strikethrough />
        <RichTextEditor.ClearFormatting />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.H2 />
        <RichTextEditor.H3 />
        <RichTextEditor.H4 />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
        <RichTextEditor.Blockquote />
        <RichTextEditor.Hr />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Control aria-label={t("link.title")} title={t("link.title")} onClick={onLink}>
          <Link2 size={16} aria-hidden />
        </RichTextEditor.Control>
        <FileButton accept="image/*" multiple onChange={onPictures}>
          {(props) => (
            <RichTextEditor.Control {...props} aria-label={t("picture.add")} title={t("picture.add")}>
              <ImagePlus size={16} aria-hidden />
            </RichTextEditor.Control>
          )}
        </FileButton>
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Undo />
        <RichTextEditor.Redo />
        <RichTextEditor.Control aria-label={t("openSource")} title={t("openSource")} onClick={onSource}>
          <CodeXml size={16} aria-hidden />
        </RichTextEditor.Control>
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  );
}
