import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import { ConfirmDialog } from "./confirm_dialog.tsx";
import { tell } from "./tell.ts";
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
  const [opened, dialog] = useDisclosure(false);
  const isDirty = draft.form.isDirty();

  const confirm = () =>
    save.mutate(input(), {
      onSuccess: (answer) => {
        draft.forget();
        dialog.close();
        tell(done(answer));
      },
      onError: draft.showRefusal,
    });

  return (
    <>
      {!isDirty && <Text size="sm" c="dimmed">{words.noChange}</Text>}
      <Button
        disabled={!isDirty}
        onClick={() => {
          save.reset();
          dialog.open();
        }}
      >
        {words.save}
      </Button>
      <ConfirmDialog opened={opened} title={words.title} deed={words.deed} waiting={save.isPending} error={save.error} onConfirm={confirm} onClose={dialog.close}>
        <Text>{words.meaning}</Text>
      </ConfirmDialog>
    </>
  );
}
