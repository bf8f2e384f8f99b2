import { Button, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Allowed } from "../../components/allowed.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { notify } from "../../components/notify.ts";
import { SideDrawer } from "../../components/side_drawer.tsx";
import { Time } from "../../components/time.tsx";
import { useStore } from "../../store/store.ts";
import { useEventTitle } from "./event_titles.ts";

/** A body with line breaks. One that is no JSON stays as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
    </div>
  );
}

/** What was sent, and what came back. */
export function DeliveryDrawer({
  webhook,
  delivery,
  onClose,
}: {
  webhook: number;
  delivery: Admin["WebhookDelivery"];
  onClose: () => void;
}) {
  const { t } = useTranslation(["webhooks", "words"]);
  const { admin } = useStore();
  const titleOf = useEventTitle();
  const again = useAction((_: undefined, key) =>
    admin.PUT("/adminapi/webhook/{id}/delivery/{delivery}/again", {
      params: { path: { id: webhook, delivery: delivery.id } },
      ...key,
    }),
  );
  return (
    <SideDrawer title={titleOf(delivery.type)} waiting={again.isPending} onClose={onClose}>
      <Stack>
        <DescriptionList
          items={[
            [t("words:state"), t(`deliveryStates.${delivery.state}`)],
            [t("messageId"), delivery.message_id],
            [t("attempts"), delivery.attempts],
            [t("lastAttempt"), <Time key="last" value={delivery.last_attempt_at} />],
            [t("status"), delivery.status ?? "–"],
            ...(delivery.run_after
              ? [[t("next"), <Time key="next" value={delivery.run_after} />] as [string, React.ReactNode]]
              : []),
          ]}
        />
        {delivery.problem && <Text size="sm">{delivery.problem}</Text>}
        <Part title={t("request")} text={readable(delivery.body)} />
        {delivery.response !== null && <Part title={t("response")} text={delivery.response || t("noResponse")} />}
        <FailureAlert error={again.error} />
        <Allowed area="keys">
          <Group justify="flex-end">
            <Button
              loading={again.isPending}
              onClick={() => again.mutate(undefined, { onSuccess: () => notify(t("sentAgain")) })}
            >
              {t("sendAgain")}
            </Button>
          </Group>
        </Allowed>
      </Stack>
    </SideDrawer>
  );
}
