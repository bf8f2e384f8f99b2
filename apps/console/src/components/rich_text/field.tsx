import { Input } from "@mantine/core";
import { useId, useState } from "react";
import { asHtml } from "../../../../shared/safe_html.ts";
import { Editor } from "./editor.tsx";
import { isHeld } from "./losses.ts";
import { SourceField } from "./source_field.tsx";

export interface RichTextInputProps {
  label: string;
  error?: React.ReactNode;
  /** HTML. */
  value: string;
  onChange: (value: string) => void;
}

/** The editor, or the HTML if the editor would change it. */
export default function RichTextField({ label, error, value, onChange }: RichTextInputProps) {
  const id = useId();
  const [isSource, setIsSource] = useState(() => !isHeld(value));
  return (
    <Input.Wrapper label={label} error={error} labelElement="div" labelProps={{ id }}>
      {isSource ? (
        <SourceField label={label} value={value} onChange={onChange} onOpenEditor={() => setIsSource(false)} />
      ) : (
        <Editor
          labelledBy={id}
          html={asHtml(value)}
          isInvalid={Boolean(error)}
          onChange={onChange}
          onOpenSource={() => setIsSource(true)}
        />
      )}
    </Input.Wrapper>
  );
}
