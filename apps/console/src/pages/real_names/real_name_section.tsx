import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { Actor } from "../../components/actor.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { FailureAlert } from "../../components/failure_alert.tsx";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useKnownArea } from "../../session/own_areas.ts";
import { useAdmin, useStore } from "../../store/store.ts";
import { CheckButton, RefuseButton } from "./decide_buttons.tsx";

type RealName = Admin["RealName"];

const colours: Record<RealName["state"], string> = { none: "gray", given: "blue", checked: "green", refused: "red" };

/** Name and number, masked until somebody asks for them, which the store records. */
function Given({ realName }: { realName: RealName }) {
  const { t } = useTranslation("real_names");
  const { admin } = useStore();
  const { uid, state, document, given_at, decided_at, decided_by, reason } = realName;
  const read = useAction((_: null) => admin.POST("/adminapi/user/{uid}/real_name", { params: { path: { uid } } }));
  const { name, number } = read.data ?? realName;
  return (
    <Stack>
      <DescriptionList
        items={[
          [t("name"), name],
          [t("document"), document && t(`documents.${document}`)],
          [
            t("number"),
            <span key="number" className="figures">
              {number}
            </span>,
          ],
          [t("givenAt"), <Time key="given" value={given_at} />],
          ...(decided_at
            ? ([
                [t("decidedAt"), <Time key="decided" value={decided_at} />],
                [t("decidedBy"), decided_by ? <Actor key="by" actor={decided_by} /> : t("provider")],
              ] as [string, ReactNode][])
            : []),
          ...(reason ? [[t("reason"), reason] as [string, string]] : []),
        ]}
      />
      <FailureAlert error={read.error} />
      <Group>
        {read.data ? (
          <Text size="sm" c="dimmed" role="status">
            {t("recorded")}
          </Text>
        ) : (
          <Button variant="default" onClick={() => read.mutate(null)} loading={read.isPending}>
            {t("show")}
          </Button>
        )}
        {state !== "checked" && <CheckButton realName={realName} />}
        {state !== "refused" && <RefuseButton realName={realName} />}
      </Group>
    </Stack>
  );
}

/**
 * The real name of a member, for those who may change money, if the store asks for real names or the member has given
 * one.
 * @param isAsked whether the member can still give one
 */
export function RealNameSection({ uid, isAsked = true }: { uid: number; isAsked?: boolean }) {
  const { t } = useTranslation("real_names");
  const isAllowed = useKnownArea("money");
  const { real_name_from = null } = useAdmin("/adminapi/system/settings", {}, { enabled: isAllowed }).data ?? {};
  const realName = useAdmin(
    "/adminapi/user/{uid}/real_name",
    { params: { path: { uid } } },
    { enabled: isAllowed },
  ).data;
  if (!isAllowed || !realName || (realName.state === "none" && (real_name_from === null || !isAsked))) return null;
  return (
    <Section
      title={t("title")}
      about={t("about")}
      actions={<Tag color={colours[realName.state]}>{t(`states.${realName.state}`)}</Tag>}
    >
      {realName.id !== null && <Given key={realName.id} realName={realName} />}
    </Section>
  );
}
