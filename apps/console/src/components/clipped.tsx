import { Tooltip } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

/**
 * A text in one line, truncated with an ellipsis. A tooltip shows the whole text on hover and focus. @param width the
 * maximum.
 * @param children a link or button with the text, which receives the focus
 */
export function Clipped({ text, width, children }: { text: string; width?: string; children?: ReactNode }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(() => setIsCut(element.scrollWidth > element.clientWidth));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [text]);
  // A card leaves out an empty value.
  if (text === "" && !children) return null;
  return (
    <Tooltip label={text} disabled={!isCut} multiline maw={420} events={{ hover: true, focus: true, touch: true }}>
      <span
        ref={box}
        className="clipped"
        {...(width && { style: { maxWidth: width } })}
        {...(isCut && !children && { tabIndex: 0 })}
      >
        {children ?? text}
      </span>
    </Tooltip>
  );
}
