import { Anchor, Button, Checkbox, Modal, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { columnsOf } from "../../components/columns.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { formatCurrency } from "../../components/figures.tsx";
import { LongNumber } from "../../components/long_number.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import { useStore } from "../../store/store.ts";
import { type ListedWithdrawal, useSignalNames } from "./withdrawal_state.tsx";

export type ApprovalLine = Admin["WithdrawalApproval"]["lines"][number];
type LeftOut = Admin["ApprovalPreview"]["left_out"][number];

const lineColumn = columnsOf<ApprovalLine>();
const leftOutColumn = columnsOf<LeftOut>();

function sumOf(rows: { amount: string }[]): string {
  // Cents, because sums of floating-point numbers are not exact.
  return (rows.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0) / 100).toFixed(2);
}

/** The withdrawals that an approval of several leaves out, with the reasons. */
function LeftOutTable({ rows }: { rows: LeftOut[] }) {
  const { t } = useTranslation(["withdrawals", "actions"]);
  const namesOf = useSignalNames();
  const columns = [
    leftOutColumn.text("withdrawal_no", t("number"), {
      cell: ({ id, withdrawal_no }) => <LongNumber number={withdrawal_no} to={`/withdrawals/${id}`} />,
    }),
    leftOutColumn.member("uid", t("member")),
    leftOutColumn.money("amount", t("amount")),
    leftOutColumn.words("reasons", t("approve.problem"), ({ reasons, signals }) =>
      reasons.map((reason) => t(`approve.reasons.${reason}`, { kinds: namesOf(signals) })).join(t("actions:listed")),
    ),
  ];
  return (
    <PlainTable
      label={t("approve.leftOutTable")}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      maxHeight={280}
    />
  );
}

/**
 * Approves those of the chosen withdrawals that need no further look, and the others only if the administrator says so.
 * @param onDone is called with what could not be approved
 */
export function ApproveSelected({
  selected,
  onDone,
}: {
  selected: ListedWithdrawal[];
  onDone: (rejected: ApprovalLine[]) => void;
}) {
  const { t } = useTranslation("withdrawals");
  const { admin } = useStore();
  const [includes, setIncludes] = useState(false);
  const approve = useAction((ids: number[], key) =>
    admin.PUT("/adminapi/withdrawal/approve", { body: { ids }, ...key }),
  );
  const confirmation = useConfirmedAction(
    approve,
    ({ lines }) => {
      const countOf = (result: ApprovalLine["result"]) => lines.filter((line) => line.result === result).length;
      onDone(lines.filter(({ result }) => result === "rejected"));
      if (countOf("approved") === lines.length) return t("approve.done");
      return t("approve.results", {
        approved: countOf("approved"),
        waits: countOf("waits"),
        rejected: countOf("rejected"),
      });
    },
    () => void preview.refetch(),
  );
  const ids = selected.map(({ id }) => id);
  const preview = useQuery({
    queryKey: ["approval preview", ids],
    queryFn: ({ signal }) => unwrap(admin.POST("/adminapi/withdrawal/approve/preview", { body: { ids }, signal })),
    enabled: confirmation.dialog.opened,
  });
  const { ids: clear = [], amount = "0.00", left_out: leftOut = [] } = preview.data ?? {};
  const possible = leftOut.filter(({ can_be_approved }) => can_be_approved);
  const included = includes ? possible : [];
  const chosen = [...clear, ...included.map(({ id }) => id)];
  const count = selected.length;
  return (
    <>
      <Button
        onClick={() => {
          setIncludes(false);
          confirmation.ask();
        }}
        disabled={count === 0}
      >
        {t("approve.selected", { count })}
      </Button>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("approve.titleSelected", { count: chosen.length || count })}
        action={t("approve.open")}
        disabled={preview.isFetching || chosen.length === 0}
        size="lg"
        onConfirm={() => confirmation.confirm(chosen)}
      >
        <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />
        {preview.data && (
          <Text>
            {chosen.length === 0
              ? t("approve.noneClear")
              : t("approve.meaningSelected", { amount: formatCurrency(sumOf([{ amount }, ...included])) })}
          </Text>
        )}
        {leftOut.length > 0 && (
          <>
            <Text fw={600}>{t("approve.leftOut", { count: leftOut.length })}</Text>
            <LeftOutTable rows={leftOut} />
            {possible.length > 0 && (
              <Checkbox
                label={t("approve.include", { count: possible.length, amount: formatCurrency(sumOf(possible)) })}
                checked={includes}
                onChange={(event) => setIncludes(event.currentTarget.checked)}
              />
            )}
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Names the withdrawals that could not be approved, with the reason. */
export function NotApproved({ lines, onClose }: { lines: ApprovalLine[]; onClose: () => void }) {
  const { t } = useTranslation(["withdrawals", "common"]);
  const columns = [
    lineColumn.text("withdrawal_no", t("number"), {
      cell: ({ id, withdrawal_no }) => (
        <Anchor component={Link} to={`/withdrawals/${id}`} size="sm" className="figures">
          {withdrawal_no ?? id}
        </Anchor>
      ),
    }),
    lineColumn.words("problem", t("approve.problem"), ({ problem }) =>
      problem ? t(`approve.problems.${problem}`) : "–",
    ),
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("approve.rejected")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <PlainTable
        label={t("approve.rejected")}
        columns={columns}
        rows={lines}
        rowId={({ id }) => id}
        maxHeight={360}
        exportAs="not approved"
      />
    </Modal>
  );
}
