import { Button, Text } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import { ConfirmDialog } from "./confirm_dialog.tsx";
import { useDeed } from "./use_deed.ts";
import type { Draft } from "./use_draft.ts";

interface SaveDraftButtonProps<Values extends Record<string, unknown>, Input, Answer> {
  draft: Draft<Values>;
  /** Made by `useAction`. */
  save: UseMutationResult<Answer, unknown, Input>;
  /** What is sent. */
  input: () => Input;
  words: { noChange: string; save: string; title: string; deed: string; meaning: string };
  /** What is told when the store has taken it. */
  done: (answer: Answer) => string;
}

/** Puts a draft in force, after a dialog; says so while there is nothing to save. */
export function SaveDraftButton<Values extends Record<string, unknown>, Input, Answer>({ draft, save, input, words, done }: SaveDraftButtonProps<Values, Input, Answer>) {
  const isDirty = draft.form.isDirty();
  const taken = (answer: Answer) => {
    draft.forget();
    return done(answer);
  };
  const deed = useDeed(save, taken, draft.showRefusal);

  return (
    <>
      {!isDirty && <Text size="sm" c="dimmed">{words.noChange}</Text>}
      <Button disabled={!isDirty} onClick={deed.ask}>{words.save}</Button>
      <ConfirmDialog {...deed.dialog} title={words.title} deed={words.deed} onConfirm={() => deed.confirm(input())}>
        <Text>{words.meaning}</Text>
      </ConfirmDialog>
    </>
  );
}
