import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Allowed } from "../../components/allowed.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { formatCurrency, Money, Points } from "../../components/figures.tsx";
import { TextLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { Time, useFormatTime } from "../../components/time.tsx";
import { useKnownArea } from "../../session/own_areas.ts";
import { useAdmin } from "../../store/store.ts";
import { AdjustmentForm } from "../adjustments/adjustment_form.tsx";

type MemberPage = Admin["MemberPage"];

/** What the store still knows of somebody whose account is gone: payout accounts, phone and addresses went with it. */
function Payee({ uid }: { uid: number }) {
  const { t } = useTranslation(["members", "words"]);
  const readsNames = useKnownArea("money");
  const name = useAdmin("/adminapi/user/{uid}/real_name", { params: { path: { uid } } }, { enabled: readsNames }).data;
  const paid = useAdmin("/adminapi/withdrawal", { params: { query: { uid, state: "paid", limit: 1 } } }).data;
  return (
    <>
      <DescriptionList
        items={[
          [
            t("words:uid"),
            <span key="uid" className="figures">
              {uid}
            </span>,
          ],
          ...(name
            ? [[t("left.realName"), name.id === null ? t("left.noRealName") : name.name] as [string, ReactNode]]
            : []),
          [t("left.account"), t("left.noAccount")],
          ...(paid
            ? [
                [
                  t("left.paid"),
                  paid.count === 0 ? (
                    t("left.nonePaid")
                  ) : (
                    <TextLink key="paid" to={`/withdrawals?uid=${uid}&state=paid`}>
                      {t("left.paidCount", { count: paid.count })}
                    </TextLink>
                  ),
                ] as [string, ReactNode],
              ]
            : []),
        ]}
      />
      {paid && <Text size="sm">{t(paid.count > 0 ? "left.findByBank" : "left.findByOrders")}</Text>}
    </>
  );
}

/** The two steps by which two administrators pay what is owed, or declare it forfeit. */
function Steps({ member: { uid, brokerage_price, frozen_points, available_points } }: { member: MemberPage }) {
  const { t } = useTranslation("members");
  const [kind, setKind] = useState<"payout" | "forfeit">();
  const waiting =
    useAdmin("/adminapi/adjustment", { params: { query: { uid, state: "waiting", limit: 1 } } }).data?.count ?? 0;
  const taken = (amount: number | string) => (Number(amount) > 0 ? `-${amount}` : "");
  const brokerage = taken(brokerage_price);
  return (
    <>
      <List type="ordered" size="sm">
        <List.Item>{t("left.first")}</List.Item>
        <List.Item>{t("left.second")}</List.Item>
      </List>
      {waiting > 0 && (
        <Text size="sm" fw={600}>
          {t("left.waiting", { count: waiting })}{" "}
          <TextLink to={`/adjustments?uid=${uid}&state=waiting`}>{t("left.show")}</TextLink>
        </Text>
      )}
      <Allowed area="money">
        <Group>
          {brokerage !== "" && <Button onClick={() => setKind("payout")}>{t("left.payout")}</Button>}
          <Button variant="default" onClick={() => setKind("forfeit")}>
            {t("left.forfeit")}
          </Button>
        </Group>
      </Allowed>
      {kind && (
        <AdjustmentForm
          uid={String(uid)}
          of={{
            kind,
            brokerage,
            ...(kind === "forfeit" && {
              frozen_points: taken(frozen_points),
              available_points: taken(available_points),
            }),
          }}
          onClose={() => setKind(undefined)}
        />
      )}
    </>
  );
}

/** What is owed to somebody whose account was removed in Auth, to whom, and how it ends. */
function Removed({ member }: { member: MemberPage }) {
  const { t } = useTranslation(["members", "words"]);
  const format = useFormatTime();
  const { uid, left_at, brokerage_price, frozen_points, available_points, accounts } = member;
  const { reserved } = accounts.commission;
  const isOwed = Number(brokerage_price) > 0 || frozen_points > 0 || available_points > 0;
  return (
    <>
      <Alert color="gray" role="note" title={t("left.removed")}>
        <Text size="sm">
          {t("left.at", { time: format(left_at!) })} {t("left.notAsked")} {!isOwed && t("left.settled")}
        </Text>
        {Number(reserved) > 0 && (
          <Text size="sm">
            {t("left.reserved", { amount: formatCurrency(reserved) })}{" "}
            <TextLink to={`/withdrawals?uid=${uid}`}>{t("left.show")}</TextLink>
          </Text>
        )}
      </Alert>
      {isOwed && (
        <Section title={t("left.owed")} about={t("left.owedAbout")}>
          <Stack gap="sm">
            <DescriptionList
              items={[
                [t("words:brokerage"), <Money key="brokerage" value={brokerage_price} />],
                [t("words:frozenPoints"), <Points key="frozen" value={frozen_points} />],
                [t("words:availablePoints"), <Points key="available" value={available_points} />],
              ]}
            />
            <Payee uid={uid} />
            <Steps member={member} />
          </Stack>
        </Section>
      )}
    </>
  );
}

/** Says that the member leaves, or has left: when, how, and what is still to be done about it. */
export function Leaving({ member }: { member: MemberPage }) {
  const { t } = useTranslation("members");
  const { uid, deletion, left_at } = member;
  if (left_at && !deletion?.done_at) return <Removed member={member} />;
  if (!deletion) return null;
  const { asked_at, due_at, done_at } = deletion;
  return done_at ? (
    <Alert color="gray" role="note" title={t("deletion.done")}>
      <Stack gap="xs">
        <DescriptionList
          items={[
            [t("deletion.askedAt"), <Time key="asked" value={asked_at} />],
            [t("deletion.doneAt"), <Time key="done" value={done_at} />],
            [t("left.since"), <Time key="left" value={left_at} />],
          ]}
        />
        <Text size="sm">
          {t("left.gaveUp")} <TextLink to={`/adjustments?uid=${uid}`}>{t("left.show")}</TextLink>
        </Text>
      </Stack>
    </Alert>
  ) : (
    <Alert color="yellow" role="note" title={t("deletion.waiting")}>
      <Text size="sm">
        {t("deletion.due")} <Time value={due_at} />
      </Text>
    </Alert>
  );
}
