import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { KeyHeader } from "../../../client/attempts.ts";
import type { Reply } from "../../../client/calls.ts";
import { useAction } from "../../../shared/use_action.ts";
import type { Area } from "../session/own_areas.ts";
import { Allowed } from "./allowed.tsx";
import { FailureAlert } from "./failure_alert.tsx";
import { notify } from "./notify.ts";

interface DismissDoubtProps {
  area: Area;
  /** Tells the store that an administrator has looked. */
  send: (key: KeyHeader) => Promise<Reply<unknown>>;
}

/** Dismisses the doubt of WeChat about what a member has written or uploaded. */
export function DismissDoubt({ area, send }: DismissDoubtProps) {
  const { t } = useTranslation("common");
  const dismiss = useAction((_: void, key) => send(key));
  return (
    <>
      <Allowed area={area} inRow>
        <Button
          size="compact-sm"
          variant="default"
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate(undefined, { onSuccess: () => notify(t("doubt.dismissed")) })}
        >
          {t("doubt.dismiss")}
        </Button>
      </Allowed>
      <FailureAlert error={dismiss.error} />
    </>
  );
}
