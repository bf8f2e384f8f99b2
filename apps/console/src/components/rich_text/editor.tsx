import { Stack } from "@mantine/core";
import { RichTextEditor } from "@mantine/tiptap";
import { useEditor } from "@tiptap/react";
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { UploadProgress } from "../upload_progress.tsx";
import { usePictureUploads } from "../use_picture_uploads.ts";
import styles from "./editor.module.css";
import { extensions } from "./extensions.ts";
import { LinkField } from "./link_field.tsx";
import { PictureField } from "./picture_field.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useLabels } from "./use_labels.ts";

interface EditorProps {
  labelledBy: string;
  /** What it opens with. */
  html: string;
  isInvalid: boolean;
  onChange: (html: string) => void;
  onOpenSource: () => void;
}

/** A text that comes with pictures of itself, as from a word processor, is text. */
const filesOf = (data: DataTransfer) =>
  data.getData("text/plain") === "" && data.files.length > 0 ? [...data.files] : undefined;

export function Editor({ labelledBy, html, isInvalid, onChange, onOpenSource }: EditorProps) {
  const [opensLink, setOpensLink] = useState(false);
  // The editor itself has what was written since.
  const [content] = useState(html);
  const labels = useLabels();
  const editor = useEditor({
    extensions,
    content,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": labelledBy,
        "aria-invalid": String(isInvalid),
        style: "min-height: 14rem",
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.isEmpty ? "" : changed.getHTML()),
  });
  const { upload, ...progress } = usePictureUploads(
    "",
    (src) => void editor.chain().focus().setImage({ src, alt: "" }).run(),
    1,
  );

  // Before the editor itself hears of it: it would show the file from memory, and store nothing.
  function take(event: ClipboardEvent | DragEvent, data: DataTransfer): boolean {
    const files = filesOf(data);
    if (!files) return false;
    event.preventDefault();
    event.stopPropagation();
    upload(files);
    return true;
  }

  function drop(event: DragEvent): void {
    const place = editor.view.posAtCoords({ left: event.clientX, top: event.clientY });
    if (take(event, event.dataTransfer) && place) editor.commands.setTextSelection(place.pos);
  }

  return (
    <Stack gap="xs" mt={4} onPasteCapture={(event) => take(event, event.clipboardData)} onDropCapture={drop}>
      <RichTextEditor editor={editor} labels={labels}>
        <Toolbar onPictures={upload} onLink={() => setOpensLink(true)} onSource={onOpenSource} />
        {opensLink && <LinkField editor={editor} onClose={() => setOpensLink(false)} />}
        <PictureField editor={editor} />
        <RichTextEditor.Content className={styles.text} />
      </RichTextEditor>
      <UploadProgress {...progress} />
    </Stack>
  );
}
