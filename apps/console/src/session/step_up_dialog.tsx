import { Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryResult } from "../components/query_result.tsx";
import type { Account } from "./auth.ts";
import { CodeForm, NewFactorForm } from "./factor_forms.tsx";
import { LastingDialog } from "./lasting_dialog.tsx";
import { useSession } from "./session_context.ts";
import { SignInForm } from "./sign_in_form.tsx";
import type { StepUpReason } from "./step_up.ts";
import { useFactors } from "./use_factors.ts";

/** Asks for a code of the second factor above the open page. What waits for it goes on by itself. */
export function StepUpDialog({ account, reason }: { account: Account; reason: StepUpReason }) {
  const { t } = useTranslation("session");
  const { stepUp } = useSession();
  const queries = useQueryClient();
  const factors = useFactors();

  function done() {
    stepUp.close(true);
    // What failed before the proof.
    void queries.invalidateQueries();
  }

  const newest = factors.data?.list.at(-1);
  return (
    <LastingDialog
      title={t("factor.title")}
      level={600}
      refusal={t("factor.notNow")}
      onRefuse={() => stepUp.close(false)}
    >
      <QueryResult of={factors}>
        {() => (
          <Stack>
            <Text size="sm">{t(`factor.reasons.${reason}`)}</Text>
            {newest ? (
              <CodeForm factor={newest.id} onDone={done} />
            ) : reason === "recent_sign_in_needed" ? (
              <SignInForm email={account.email} onDone={done} />
            ) : (
              <NewFactorForm onDone={done} />
            )}
            {newest && (
              <Text size="xs" c="dimmed">
                {t("factor.lost")}
              </Text>
            )}
          </Stack>
        )}
      </QueryResult>
    </LastingDialog>
  );
}
