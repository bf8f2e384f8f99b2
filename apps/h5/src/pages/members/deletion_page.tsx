import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Facts } from "../../components/facts.tsx";
import { FailureBox } from "../../components/failure_box.tsx";
import { Money, Points } from "../../components/figures.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { notify } from "../../components/notices.tsx";
import { NoticeBox } from "../../components/notice_box.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useSession } from "../../session/session_context.ts";
import { useApi, useStore } from "../../store/store.ts";

type Deletion = Api["AccountDeletion"];

function Obstacle({ of: { reason, count, amount, until } }: { of: Deletion["obstacles"][number] }) {
  const { t } = useTranslation("members");
  return (
    <li>
      {t(`deletion.obstacle.${reason}`, { count })}{" "}
      {reason === "points_owed" && amount !== null && <Points value={Number(amount)} />}
      {(reason === "debt" || reason === "withdrawal_open") && amount !== null && <Money value={amount} />}
      {until && <Time value={until} />}
    </li>
  );
}

function Obstacles({ title, of }: { title: string; of: Deletion["obstacles"] }) {
  if (of.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={layout.stack}>
        {of.map((each) => (
          <Obstacle key={each.reason} of={each} />
        ))}
      </ul>
    </Section>
  );
}

function Forfeit({ of: { brokerage, frozen_points, available_points } }: { of: Deletion["forfeit"] }) {
  const { t } = useTranslation("members");
  return (
    <Facts
      items={[
        [t("brokerage"), <Money key="commission" value={brokerage} />],
        [t("frozenPoints"), <Points key="frozen" value={frozen_points} />],
        [t("availablePoints"), <Points key="available" value={available_points} />],
      ]}
    />
  );
}

function Waiting({ deletion }: { deletion: Deletion }) {
  const { t } = useTranslation("members");
  const api = useStore();
  const keep = useAction((_: null, key) => api.DELETE("/api/user/deletion", { ...key }));
  return (
    <div className={layout.stack}>
      <NoticeBox role="status" title={t("deletion.waiting")}>
        <p>
          {t("deletion.due")} {deletion.due_at && <Time value={deletion.due_at} />}
        </p>
      </NoticeBox>
      <Obstacles title={t("deletion.heldUp")} of={deletion.obstacles} />
      <FailureBox error={keep.error} />
      <Button
        block
        color="primary"
        size="large"
        shape="rounded"
        loading={keep.isPending}
        onClick={() => keep.mutate(null, { onSuccess: () => notify(t("deletion.kept")) })}
      >
        {t("deletion.keep")}
      </Button>
    </div>
  );
}

function Request({ deletion: { forfeit, obstacles, needs_sign_in } }: { deletion: Deletion }) {
  const { t } = useTranslation("members");
  const api = useStore();
  const session = useSession();
  const [consents, setConsents] = useState(false);
  const ask = useAction((body: { forfeit: Deletion["forfeit"] }, key) =>
    api.POST("/api/user/deletion", { body, ...key }),
  );
  if (obstacles.length > 0) return <Obstacles title={t("deletion.notYet")} of={obstacles} />;
  if (needs_sign_in)
    return (
      <Section title={t("deletion.signInFirst")}>
        <div className={layout.stack}>
          <p>{t("deletion.signInText")}</p>
          <Button block color="primary" onClick={() => void session.signOut()}>
            {t("deletion.signIn")}
          </Button>
        </div>
      </Section>
    );
  return (
    <Section title={t("deletion.giveUp")}>
      <div className={layout.stack}>
        <Forfeit of={forfeit} />
        <p>{t("deletion.giveUpText")}</p>
        <Checkbox checked={consents} onChange={setConsents}>
          {t("deletion.consent")}
        </Checkbox>
        <FailureBox error={ask.error} />
        <Button
          block
          color="danger"
          disabled={!consents}
          loading={ask.isPending}
          onClick={() => ask.mutate({ forfeit }, { onSuccess: () => notify(t("deletion.asked")) })}
        >
          {t("deletion.ask")}
        </Button>
      </div>
    </Section>
  );
}

/** The deletion of the account: what it means, what stands in its way, and the way back. */
export function Component() {
  const { t } = useTranslation("members");
  const deletion = useApi("/api/user/deletion");
  return (
    <Page title={t("deletion.title")} back="/me/security">
      <div className={layout.stack}>
        <p>{t("deletion.meaning")}</p>
        <QueryResult of={deletion}>
          {(shown) => (shown.state === "waiting" ? <Waiting deletion={shown} /> : <Request deletion={shown} />)}
        </QueryResult>
      </div>
    </Page>
  );
}
