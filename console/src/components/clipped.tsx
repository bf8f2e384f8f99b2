import { Tooltip } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

/**
 * A text of any length in one line: what does not fit is cut with an ellipsis, and the whole is shown to whoever points at it or
 * moves the focus to it. @param width the most it takes. @param children a link or button with the text, where it is one; it takes the focus
 */
export function Clipped({ text, width, children }: { text: string; width?: string; children?: ReactNode }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = box.current!;
    const watcher = new ResizeObserver(() => setIsCut(element.scrollWidth > element.clientWidth));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [text]);
  return (
    <Tooltip label={text} disabled={!isCut} multiline maw={420} events={{ hover: true, focus: true, touch: true }}>
      <span ref={box} className="clipped" {...(width && { style: { maxWidth: width } })} {...(isCut && !children && { tabIndex: 0 })}>{children ?? text}</span>
    </Tooltip>
  );
}
