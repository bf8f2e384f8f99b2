import { Button, Group, Stack } from "@mantine/core";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Area } from "../session/own_areas.ts";
import { Allowed } from "./allowed.tsx";
import { FailureAlert } from "./failure_alert.tsx";
import { RestoredNotice } from "./restored_notice.tsx";
import { SideDrawer } from "./side_drawer.tsx";
import { notify } from "./notify.ts";
import type { Draft } from "./use_draft.ts";

interface FormDrawerProps<Values extends Record<string, unknown>, Output> {
  title: string;
  /** The area that saving changes. */
  area: Area;
  draft: Draft<Values>;
  /** Made by `useAction`. */
  save: UseMutationResult<Output, unknown, Values>;
  /** The message after a new record was added. Without it, the form changes an existing record. */
  added?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a drawer beside a list. Closing it keeps the input as a draft. An error is shown below the fields. */
export function FormDrawer<Values extends Record<string, unknown>, Output>({
  title,
  area,
  draft,
  save,
  added,
  onClose,
  children,
}: FormDrawerProps<Values, Output>) {
  const { t } = useTranslation("common");
  const { form } = draft;
  const submit = () =>
    added === undefined && !form.isDirty()
      ? onClose()
      : save.mutate(form.values, {
          onSuccess: () => {
            draft.forget();
            notify(added ?? t("saved"));
            onClose();
          },
          onError: draft.showRejection,
        });
  return (
    <SideDrawer title={title} waiting={save.isPending} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!form.validate().hasErrors) submit();
        }}
      >
        <Stack>
          <RestoredNotice draft={draft} />
          {children}
          <FailureAlert error={save.error} marksFields />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={save.isPending}>
              {t("cancel")}
            </Button>
            <Allowed area={area}>
              <Button type="submit" loading={save.isPending}>
                {t("save")}
              </Button>
            </Allowed>
          </Group>
        </Stack>
      </form>
    </SideDrawer>
  );
}
