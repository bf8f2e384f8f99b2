import { useQueryClient } from "@tanstack/react-query";
import { Fragment, type ReactNode, Suspense, useEffect, useState } from "react";
import type { AuthLink } from "../../../shared/auth_link.ts";
import { Loading } from "../components/loading.tsx";
import { ExpiredDialog, NewPasswordPage, SignInPage, StepUpDialog } from "../session/later.ts";
import { useSessionState, useStepUpReason } from "../session/session_context.ts";

/**
 * Shows its children to an administrator, otherwise the sign-in page. An expired session is renewed in a dialog above
 * the open page.
 * @param opened the link of a mail with which the console was opened. It sets a password first
 */
export function SignedInOnly({ opened, children }: { opened: AuthLink | undefined; children: ReactNode }) {
  const [link, setLink] = useState(opened);
  const state = useSessionState();
  const reason = useStepUpReason();
  const queries = useQueryClient();

  useEffect(() => {
    if (state.kind === "signed_out") queries.clear();
    // Repeats the requests that failed while nobody was signed in.
    if (state.kind === "signed_in") void queries.invalidateQueries();
  }, [state, queries]);

  if (state.kind === "starting") return <Loading height="100vh" />;
  const loading = <Loading height="100vh" />;
  const account = "account" in state ? state.account : undefined;
  const stepUp = <Suspense>{reason && account && <StepUpDialog account={account} reason={reason} />}</Suspense>;
  if (link)
    return (
      <Suspense fallback={loading}>
        <NewPasswordPage link={link} onLeave={() => setLink(undefined)} />
        {stepUp}
      </Suspense>
    );
  if (state.kind === "signed_out")
    return (
      <Suspense fallback={loading}>
        <SignInPage />
      </Suspense>
    );
  return (
    <>
      <Fragment key={state.account.id}>{children}</Fragment>
      <Suspense>{state.kind === "expired" && <ExpiredDialog account={state.account} />}</Suspense>
      {stepUp}
    </>
  );
}
