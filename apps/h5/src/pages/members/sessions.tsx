import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { ConfirmSheet } from "../../components/confirm_sheet.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useApi, useStore } from "../../store/store.ts";
import { deviceName } from "./device_name.ts";
import styles from "./sessions.module.css";

function SessionRow({ session }: { session: Api["MemberSession"] }) {
  const { t } = useTranslation("members");
  const api = useStore();
  const end = useAction((id: string, key) =>
    api.DELETE("/api/user/session/{id}", { params: { path: { id } }, ...key }),
  );
  const name = deviceName(session.user_agent) ?? t("security.unknownDevice");
  return (
    <li className={classes(layout.apart, styles.session)}>
      <span className={layout.grow}>
        {name} {session.is_current && <Tag>{t("security.thisDevice")}</Tag>}
        <br />
        <span className="weak">
          <Time value={session.used_at} />
          {session.ip && ` · ${session.ip}`}
        </span>
        <FailureBox error={end.error} />
      </span>
      {!session.is_current && (
        <Button
          size="small"
          loading={end.isPending}
          aria-label={t("security.signOutOf", { device: name })}
          onClick={() => end.mutate(session.id, { onSuccess: () => notify(t("security.signedOut")) })}
        >
          {t("security.signOut")}
        </Button>
      )}
    </li>
  );
}

function SignOutElsewhere() {
  const { t } = useTranslation("members");
  const api = useStore();
  const [isAsked, setAsked] = useState(false);
  const end = useAction((_: null, key) => api.DELETE("/api/user/session", { ...key }));
  const close = () => {
    setAsked(false);
    end.reset();
  };
  return (
    <>
      <Button block onClick={() => setAsked(true)}>
        {t("security.signOutElsewhere")}
      </Button>
      {isAsked && (
        <ConfirmSheet
          title={t("security.signOutElsewhere")}
          text={t("security.signOutElsewhereText")}
          action={t("security.signOut")}
          isPending={end.isPending}
          error={end.error}
          onClose={close}
          onConfirm={() =>
            end.mutate(null, {
              onSuccess: () => {
                close();
                notify(t("security.signedOut"));
              },
            })
          }
        />
      )}
    </>
  );
}

/** Where the member is signed in. */
export function Sessions() {
  const { t } = useTranslation("members");
  const sessions = useApi("/api/user/session");
  return (
    <Section title={t("security.devices")}>
      <QueryResult of={sessions} rows={2}>
        {({ list }) => (
          <div className={layout.stack}>
            <ul className={layout.rows}>
              {list.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {list.some(({ is_current }) => !is_current) && <SignOutElsewhere />}
          </div>
        )}
      </QueryResult>
    </Section>
  );
}
