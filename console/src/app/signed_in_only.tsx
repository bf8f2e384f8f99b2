import { useQueryClient } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect } from "react";
import { Loading } from "../components/loading.tsx";
import { ExpiredDialog } from "../session/expired_dialog.tsx";
import { useSessionState } from "../session/session_context.tsx";
import { SignInPage } from "../session/sign_in_page.tsx";

/** Shows its children to an administrator, otherwise the sign-in page. An expired session is renewed in a dialog above the open page. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const state = useSessionState();
  const queries = useQueryClient();

  useEffect(() => {
    if (state.kind === "signed_out") queries.clear();
    // Repeats the requests that failed while nobody was signed in.
    if (state.kind === "signed_in") void queries.invalidateQueries();
  }, [state, queries]);

  if (state.kind === "starting") return <Loading height="100vh" />;
  if (state.kind === "signed_out") return <SignInPage />;
  return (
    <>
      <Fragment key={state.account.id}>{children}</Fragment>
      {state.kind === "expired" && <ExpiredDialog account={state.account} />}
    </>
  );
}
