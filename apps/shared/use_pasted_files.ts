import { type RefObject, useEffect, useRef } from "react";

/** The fields that take pasted files, of all that are shown. */
const fields = new Set<Element>();

/**
 * Calls a function with the files of the clipboard when somebody pastes, such as a screenshot. Pasted text is left
 * alone. Of several fields, the one with the focus takes the files; the only one takes them wherever the focus is.
 */
export function usePastedFiles(field: RefObject<Element | null>, take: (files: FileList) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const own = field.current;
    // A field without an element takes what is pasted by itself.
    if (!own) return undefined;
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const focused = [...fields].find((each) => each.contains(document.activeElement));
      const isMeant = focused ? focused === own : fields.size === 1;
      if (isMeant && clipboardData && clipboardData.files.length > 0) latest.current(clipboardData.files);
    };
    fields.add(own);
    document.addEventListener("paste", onPaste);
    return () => {
      fields.delete(own);
      document.removeEventListener("paste", onPaste);
    };
  }, [field]);
}
