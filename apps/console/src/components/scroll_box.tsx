import { Box } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

interface ScrollBoxProps {
  /** For screen readers. */
  label: string;
  /** The height of a part of a page that scrolls by itself. Without it, the page scrolls. */
  maxHeight?: number | undefined;
  /** Whether the table has only the columns that fit. */
  isFitted?: boolean;
  children: ReactNode;
}

/**
 * The frame of a table. The page scrolls it, and its head stays below that of the console. Only a table that is wider
 * than its frame scrolls within it, both ways, because a frame that scrolls sideways alone would take the head along.
 * The keyboard reaches what scrolls.
 */
export function ScrollBox({ label, maxHeight, isFitted = false, children }: ScrollBoxProps) {
  const ref = useRef<HTMLDivElement>(null);
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const box = ref.current!;
    const observer = new ResizeObserver(() => setTooWide(box.scrollWidth > box.clientWidth));
    for (const element of [box, ...box.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scrolls = (isTooWide && !isFitted) || maxHeight !== undefined;
  return (
    <Box
      ref={ref}
      role="group"
      aria-label={label}
      className="scroll-box"
      style={{ maxHeight }}
      {...(scrolls && { tabIndex: 0, "data-scrolls": true })}
    >
      {children}
    </Box>
  );
}
