import { Alert, List, Stack, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { NotFoundPage } from "../../app/not_found_page.tsx";
import { Actor } from "../../components/actor.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { formatCurrency, Money } from "../../components/figures.tsx";
import { useIdOfPage } from "../../components/ids.ts";
import { CopyText } from "../../components/long_number.tsx";
import { MemberLink, TextLink } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.ts";
import { ActionsOf } from "../actions/action_list.tsx";
import { RealNameSection } from "../real_names/real_name_section.tsx";
import { WithdrawalButtons } from "./withdrawal_buttons.tsx";
import { HeldOrders } from "./held_orders.tsx";
import { TransferSection } from "./transfer_section.tsx";
import { WithdrawalOrigin } from "./withdrawal_origin.tsx";
import { useWithdrawalReason, Waits, WithdrawalState } from "./withdrawal_state.tsx";

type WithdrawalPage = Admin["WithdrawalPage"];

const lookAgain = 15_000;

/** Where the money goes. Only some administrators see it. */
function Payee({ withdrawal: { payee, account, method } }: { withdrawal: WithdrawalPage }) {
  const { t } = useTranslation("withdrawals");
  if (payee)
    return (
      <DescriptionList
        items={[
          [t("holder"), payee.holder],
          [
            t("accountNo"),
            <Fragment key="no">
              {payee.account_no} <CopyText text={payee.account_no} label={t("copyAccount")} />
            </Fragment>,
          ],
          ...(payee.bank ? [[t("bank"), payee.bank] as [string, string]] : []),
        ]}
      />
    );
  if (method === "wechat") return <Text>{t("methods.wechat")}</Text>;
  return account === "" ? (
    <Text>{t("noAccount")}</Text>
  ) : (
    <>
      <Text>{account}</Text>
      <Text size="sm" c="dimmed">
        {t("hidden")}
      </Text>
    </>
  );
}

/** Which kinds of signals concern the member, with links to them. */
function Signals({ kinds }: { kinds: WithdrawalPage["signals"] }) {
  const { t } = useTranslation(["withdrawals", "signals"]);
  return (
    <Alert color="orange" title={t("signals:title")}>
      <Text size="sm">{t("signal.about")}</Text>
      <List size="sm">
        {kinds.map((kind) => (
          <List.Item key={kind}>
            <TextLink to={`/signals?kind=${kind}`}>{t(`signals:kind.${kind}.title`)}</TextLink>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function About({ withdrawal }: { withdrawal: WithdrawalPage }) {
  const { t } = useTranslation(["withdrawals", "words"]);
  const times = [
    ["approvedAt", withdrawal.approved_at],
    ["payingAt", withdrawal.paying_at],
    ["endedAt", withdrawal.ended_at],
  ] as const;
  const reason = useWithdrawalReason()(withdrawal);
  const texts = [
    ["batch", withdrawal.batch_no],
    ["reference", withdrawal.payment_ref],
  ] as const;
  return (
    <Stack>
      {withdrawal.signals.length > 0 && <Signals kinds={withdrawal.signals} />}
      {withdrawal.held_by_refunds && (
        <Alert color="orange">
          <HeldOrders withdrawal={withdrawal} held={withdrawal.held_by_refunds} />
        </Alert>
      )}
      {withdrawal.debt && <Alert color="orange">{t("debt", { debt: formatCurrency(withdrawal.debt) })}</Alert>}
      <Section
        title={t("titleOf", { number: withdrawal.withdrawal_no })}
        actions={
          <>
            <Waits withdrawal={withdrawal} />
            <WithdrawalState state={withdrawal.state} />
          </>
        }
      >
        <DescriptionList
          items={[
            [t("member"), <MemberLink key="member" uid={withdrawal.uid} nickname={withdrawal.nickname} />],
            [t("amount"), <Money key="amount" value={withdrawal.amount} />],
            [t("fee"), <Money key="fee" value={withdrawal.fee} />],
            withdrawal.estimated_tax === null
              ? [t("tax"), <Money key="tax" value={withdrawal.tax} />]
              : [t("estimatedTax"), <Money key="tax" value={withdrawal.estimated_tax} />],
            [t("net"), <Money key="net" value={withdrawal.net_amount} />],
            [t("method"), t(`methods.${withdrawal.method}`)],
            [t("left"), <Money key="left" value={withdrawal.withdrawable} />],
            [t("requested"), <Time key="requested" value={withdrawal.add_time} />],
            ...(withdrawal.approved_by
              ? [[t("approvedBy"), <Actor key="approver" actor={withdrawal.approved_by} />] as [string, ReactNode]]
              : []),
            ...times
              .filter(([, time]) => time)
              .map(([name, time]): [string, ReactNode] => [t(name), <Time key={name} value={time} />]),
            ...texts.filter(([, text]) => text).map(([name, text]): [string, ReactNode] => [t(name), text]),
            ...(reason ? [[t("words:reason"), reason] as [string, string]] : []),
          ]}
        />
      </Section>
      <Section title={t("account")}>
        <Payee withdrawal={withdrawal} />
      </Section>
      <WithdrawalOrigin withdrawal={withdrawal} />
      <RealNameSection uid={withdrawal.uid} />
      <TransferSection withdrawal={withdrawal} />
      <ActionsOf type="withdrawal" id={withdrawal.id} />
    </Stack>
  );
}

export function Component() {
  const id = useIdOfPage("id");
  return id === undefined ? <NotFoundPage /> : <WithdrawalPage id={id} />;
}

function WithdrawalPage({ id }: { id: number }) {
  const { t } = useTranslation("withdrawals");
  // A transfer is decided in the background.
  const result = useAdmin(
    "/adminapi/withdrawal/{id}",
    { params: { path: { id } } },
    {
      refetchInterval: ({ state: { data: known } }) => (known?.transfer?.call ? lookAgain : false),
    },
  );
  return (
    <Page
      key={id}
      title={t("titleOf", { number: result.data?.withdrawal_no ?? id })}
      back={{ to: "/withdrawals", label: t("title") }}
      actions={result.data && <WithdrawalButtons withdrawal={result.data} />}
    >
      <QueryResult of={result} lines={8}>
        {(withdrawal) => <About withdrawal={withdrawal} />}
      </QueryResult>
    </Page>
  );
}
