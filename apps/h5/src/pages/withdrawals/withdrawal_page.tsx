import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Api } from "../../../../client/index.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/facts.tsx";
import { Failure } from "../../components/failure.tsx";
import { formatMoney, Money } from "../../components/figures.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { NoticeBox } from "../../components/notice_box.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useApi, useWechatAppid } from "../../store/store.ts";
import { confirmInWechat } from "../payments/wechat_bridge.ts";
import { CancelWithdrawal } from "./cancel_withdrawal.tsx";
import { isReturned, useWithdrawalReason, useWithdrawalState } from "./withdrawal_words.ts";
import "../../i18n/later.ts";

type Withdrawal = Api["OwnWithdrawal"];

/** The polling interval of a transfer that is not decided, in milliseconds. */
const pause = 5000;

/** What the member must do now: confirm the receipt, in the app with which they sign in. */
function Confirmation({ withdrawal: { state, method, net_amount, confirmation } }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation("withdrawals");
  const queries = useQueryClient();
  const appid = useWechatAppid();
  const confirm = useMutation({
    networkMode: "always",
    mutationFn: async (what: NonNullable<Withdrawal["confirmation"]>) => {
      const outcome = await confirmInWechat(what);
      await queries.invalidateQueries();
      return outcome;
    },
  });
  if (method !== "wechat" || (state !== "approved" && state !== "paying")) return null;
  if (!confirmation)
    return (
      <p className="weak" role="status">
        {t("confirm.waiting")}
      </p>
    );
  return (
    <NoticeBox role="status" title={t("confirm.title")}>
      <p>{t("confirm.text", { amount: formatMoney(net_amount) })}</p>
      {confirm.data === "failed" && (
        <Failure title={t("confirm.notOpened.title")}>
          <p>{t("confirm.notOpened.advice")}</p>
        </Failure>
      )}
      {confirmation.app_id === appid ? (
        <Button
          block
          color="primary"
          shape="rounded"
          loading={confirm.isPending}
          onClick={() => confirm.mutate(confirmation)}
        >
          {t("confirm.open")}
        </Button>
      ) : (
        <p>{t("confirm.elsewhere")}</p>
      )}
    </NoticeBox>
  );
}

function About({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation("withdrawals");
  const { withdrawal_no, method, account, amount, fee, tax, estimated_tax, net_amount, add_time, ended_at } =
    withdrawal;
  const stateOf = useWithdrawalState();
  const reasonOf = useWithdrawalReason();
  return (
    <Section title={t("one.state")}>
      <Facts
        items={[
          [t("one.state"), stateOf(withdrawal)],
          [t("one.reason"), reasonOf(withdrawal)],
          [t("form.amount"), <Money key="amount" value={amount} />],
          [t("fee"), fee !== "0.00" && <Money key="fee" value={fee} />],
          [t("tax"), tax !== "0.00" && <Money key="tax" value={tax} />],
          [t("estimatedTax"), estimated_tax !== null && <Money key="estimated tax" value={estimated_tax} />],
          [t("received"), !isReturned(withdrawal) && <Money key="received" value={net_amount} />],
          [t("one.to"), method === "wechat" ? t("method.wechat") : account],
          [t("one.number"), withdrawal_no],
          [t("one.requested"), <Time key="requested" value={add_time} />],
          [t("one.ended"), ended_at && <Time key="ended" value={ended_at} />],
        ]}
      />
      {isReturned(withdrawal) && <p className="weak">{t("returned")}</p>}
    </Section>
  );
}

/** One withdrawal. While WeChat has not decided, the page asks the store again and again. */
export function Component() {
  const { t } = useTranslation("withdrawals");
  const id = useIdOfPage();
  const result = useApi(
    "/api/withdrawal/{id}",
    { params: { path: { id } } },
    {
      refetchInterval: ({ state: { data: known } }) =>
        known?.method === "wechat" && (known.state === "approved" || known.state === "paying") ? pause : false,
    },
  );
  return (
    <Page title={t("one.title")} back="/withdrawals">
      <Refreshable>
        <QueryResult of={result} rows={8}>
          {(withdrawal) => (
            <div className={layout.stack}>
              <Confirmation withdrawal={withdrawal} />
              <About withdrawal={withdrawal} />
              {withdrawal.state === "requested" && <CancelWithdrawal withdrawal={withdrawal} />}
            </div>
          )}
        </QueryResult>
      </Refreshable>
    </Page>
  );
}
