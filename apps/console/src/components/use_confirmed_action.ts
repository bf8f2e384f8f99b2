import { useDisclosure } from "@mantine/hooks";
import type { UseMutationResult } from "@tanstack/react-query";
import { notify } from "./notify.ts";

/**
 * A write with a confirm dialog.
 * @param action made by `useAction`
 * @param done the message after success
 * @param rejected is called with every error, in addition to the dialog that shows it
 */
export function useConfirmedAction<Input, Output>(
  action: UseMutationResult<Output, unknown, Input>,
  done: (result: Output) => string,
  rejected?: (error: unknown) => void,
) {
  const [opened, dialog] = useDisclosure(false);
  return {
    /** Opens the dialog without an earlier error. */
    ask: () => {
      action.reset();
      dialog.open();
    },
    /** Sends the request. If it fails, the dialog stays open and shows the error. */
    confirm: (input: Input) =>
      action.mutate(input, {
        onSuccess: (result) => {
          notify(done(result));
          dialog.close();
        },
        ...(rejected && { onError: rejected }),
      }),
    /** Properties for `ConfirmDialog`. */
    dialog: { opened, waiting: action.isPending, error: action.error, onClose: dialog.close },
  };
}
