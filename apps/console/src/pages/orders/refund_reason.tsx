import { Anchor, Group, Image, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DismissDoubt } from "../../components/dismiss_doubt.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { useAdmin, useStore } from "../../store/store.ts";

type Refund = Admin["Refund"];

/** New links are fetched before those on the page end, in milliseconds. */
const linksLast = 4 * 60_000;
const side = 96;

interface CheckedProps {
  refund: Refund;
  /** The picture; undefined for the reason. */
  picture?: string;
  /** What WeChat says of it. */
  check: "review" | "risky" | null;
  children: ReactNode;
}

/** Something of the buyer: folded away if WeChat refuses it, and with a button for an administrator who has looked. */
function Checked({ refund: { id, order_id }, picture, check, children }: CheckedProps) {
  const { t } = useTranslation("orders");
  const { admin } = useStore();
  if (!check) return children;
  const subject = picture ? "picture" : "reason";
  const body = { refund_id: id, ...(picture && { picture_id: picture }) };
  return (
    <Stack gap={4} align="flex-start">
      {check === "risky" ? (
        <details>
          <summary>{t(`refundReason.risky.${subject}`)}</summary>
          {children}
        </details>
      ) : (
        <>
          {children}
          <Text size="sm">{t(`refundReason.review.${subject}`)}</Text>
        </>
      )}
      <DismissDoubt
        area="refunds"
        send={(key) =>
          admin.PUT("/adminapi/order/{id}/refund/doubt/dismiss", { params: { path: { id: order_id } }, body, ...key })
        }
      />
    </Stack>
  );
}

function Pictures({ refund }: { refund: Refund }) {
  const { t } = useTranslation("orders");
  const { order_id, pictures } = refund;
  const links = useAdmin(
    "/adminapi/order/{id}/refund/picture",
    { params: { path: { id: order_id } } },
    { staleTime: linksLast, refetchInterval: linksLast },
  );
  return (
    <>
      <FailureAlert error={links.error} onRetry={() => void links.refetch()} />
      <Group gap="xs" align="flex-start">
        {pictures.map(({ id, content_check }, at) => {
          const link = links.data?.list.find((each) => each.id === id);
          return (
            <Checked key={id} refund={refund} picture={id} check={content_check}>
              <Anchor href={link?.url} target="_blank" rel="noreferrer">
                <Image
                  src={link?.small_url}
                  alt={t("refundReason.picture", { number: at + 1 })}
                  w={side}
                  h={side}
                  fit="cover"
                  radius="sm"
                />
              </Anchor>
            </Checked>
          );
        })}
      </Group>
    </>
  );
}

/** Why the buyer wants a refund, in words and pictures, and why the store has refused it. */
export function RefundReason({ refund }: { refund: Refund }) {
  const { t } = useTranslation("orders");
  return (
    <Stack gap="xs" align="flex-start">
      <Checked refund={refund} check={refund.reason_check}>
        <Text size="sm">{refund.reason}</Text>
      </Checked>
      {refund.pictures.length > 0 && <Pictures refund={refund} />}
      {refund.refusal_reason && <Text size="sm">{t("refundReason.refusal", { reason: refund.refusal_reason })}</Text>}
    </Stack>
  );
}
