import { type RefObject, useEffect, useRef, useState } from "react";
import { usePastedFiles } from "../../../shared/use_pasted_files.ts";
import { useStore } from "../store/store.ts";

/** A picture that is being uploaded. */
interface Running {
  id: number;
  name: string;
  /** The part that was sent, from 0 to 1. */
  part: number;
}

export interface PictureUploads {
  uploads: Running[];
  /** Why the last picture was not uploaded; null if it was. */
  failure: unknown;
  upload: (files: Iterable<File> | File | null) => void;
  /** The element that has to have the focus to take what is pasted, if there are several fields. */
  element: RefObject<HTMLDivElement | null>;
}

/** The addresses in a text with one in each line. */
export function addressesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/**
 * Uploads pictures one after the other, and adds their addresses to a text. What is pasted while the field is shown is
 * uploaded, too.
 */
export function usePictureUploads(value: string, onChange: (value: string) => void, most: number): PictureUploads {
  const { uploadPicture } = useStore();
  const [uploads, setUploads] = useState<Running[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  // Other pictures may be added, moved or removed while one is uploaded.
  const field = useRef<{ value: string; onChange: (value: string) => void }>(null);
  const element = useRef<HTMLDivElement>(null);
  const queue = useRef(Promise.resolve());
  const last = useRef(0);
  useEffect(() => {
    field.current = { value, onChange };
    // What is removed while its picture is uploaded shows none, and does not give it to what takes its place.
    return () => {
      field.current = null;
    };
  }, [value, onChange]);

  function add(address: string): void {
    if (!field.current) return;
    const present = most === 1 ? [] : addressesIn(field.current.value);
    const text = [...present, address].slice(0, most).join("\n");
    field.current.value = text;
    field.current.onChange(text);
  }

  async function send(file: File, id: number): Promise<void> {
    try {
      const { url } = await uploadPicture("store", file, (part) =>
        setUploads((running) => running.map((each) => (each.id === id ? { ...each, part } : each))),
      );
      add(url);
    } catch (error) {
      setFailure(error);
    } finally {
      setUploads((running) => running.filter((each) => each.id !== id));
    }
  }

  function upload(files: Iterable<File> | File | null): void {
    if (files === null) return;
    const chosen = files instanceof File ? [files] : [...files];
    if (chosen.length > 0) setFailure(null);
    for (const file of chosen) {
      last.current += 1;
      const id = last.current;
      setUploads((running) => [...running, { id, name: file.name, part: 0 }]);
      queue.current = queue.current.then(() => send(file, id));
    }
  }

  usePastedFiles(element, upload);
  return { uploads, failure, upload, element };
}
